import { unescape as decodeLeniently } from 'node:querystring';
import { percentEncode } from './headerSafe.ts';

/** Values of each parameter of a query, both decoded, in their order. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** Reads a raw query (without its `?`). Malformed encodings are kept as far as they go; it never throws. */
export function parseParameters(query: string): Parameters {
  const parameters = new Map<string, string[]>();
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const name = parameterName(piece);
    const equals = piece.indexOf('=');
    const value = equals < 0 ? '' : decode(piece.slice(equals + 1));
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

/** The decoded name of one `name=value` of a query. */
export function parameterName(piece: string): string {
  const equals = piece.indexOf('=');
  return decode(equals < 0 ? piece : piece.slice(0, equals));
}

/** A raw query without the parameters of that name, however it is encoded; the others are kept as they were sent. */
export function withoutParameter(query: string, name: string): string {
  if (!query.includes(name) && !query.includes('%')) return query;
  const pieces = query.split('&');
  const kept = pieces.filter((piece) => parameterName(piece) !== name);
  return kept.length === pieces.length ? query : kept.join('&');
}

const NOT_ASCII = /[\u0080-\uffff]+/g;

/** Node's decoder keeps only the low byte of a character when something near it is malformed: it gets ASCII. */
function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodeLeniently(spaced.replace(NOT_ASCII, percentEncode)) : spaced;
}
