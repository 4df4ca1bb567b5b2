import { unescape as decodeLeniently } from 'node:querystring';
import { domainToASCII } from 'node:url';

/** Decoded parameter names → their decoded values, in order. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** Parses a raw query (without its `?`). Malformed encodings are kept as they are; never throws. */
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

/** The decoded name of one `name=value` pair. */
export function parameterName(piece: string): string {
  const equals = piece.indexOf('=');
  return decode(equals < 0 ? piece : piece.slice(0, equals));
}

/** A raw query without the parameters of this name, however the name is encoded; other parameters stay as they were sent. */
export function withoutParameter(query: string, name: string): string {
  if (!query.includes(name) && !query.includes('%')) return query;
  const pieces = query.split('&');
  const kept = pieces.filter((piece) => parameterName(piece) !== name);
  return kept.length === pieces.length ? query : kept.join('&');
}

const NOT_ASCII = /[\u0080-\uffff]+/g;

/** Encodes non-ASCII first: near malformed escapes, Node's decoder keeps only the low byte of a character. */
function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodeLeniently(spaced.replace(NOT_ASCII, percentEncode)) : spaced;
}

/**
 * Characters that a URL must not contain as they are: controls, spaces, `"`, `<`, `>`, `#` and non-ASCII. Browsers
 * encode the same ones before they send a query (WHATWG URL, query percent-encode set).
 */
const UNSAFE = /[^\x21\x24-\x3b\x3d\x3f-\x7e]+/g;
/** The same without `#`, which is allowed in a fragment. */
const UNSAFE_IN_FRAGMENT = /[^\x21\x23-\x3b\x3d\x3f-\x7e]+/g;
const AUTHORITY = /^(https?:\/\/(?:[^/?#\\@]*@)?)([^/?#\\:]*)/i;

/** Encodes a piece of a path or query so that it cannot end a header or start a fragment. Escapes stay as they are. */
export function headerSafe(text: string): string {
  return text.replace(UNSAFE, percentEncode);
}

/** Encodes a fragment, which starts with its `#`, in the same way. */
export function headerSafeFragment(fragment: string): string {
  return fragment.replace(UNSAFE_IN_FRAGMENT, percentEncode);
}

/** Encodes a URL without its fragment for a header; the host of a web address is converted to Punycode. */
export function headerSafeUrl(url: string): string {
  const [whole = '', before = '', host = ''] = AUTHORITY.exec(url) ?? [];
  const ascii = host.search(UNSAFE) < 0 ? '' : domainToASCII(host);
  return headerSafe(ascii === '' ? url : before + ascii + url.slice(whole.length));
}

/** Encodes every byte of the text; encodeURIComponent would throw on a lone surrogate. */
export function percentEncode(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text)) encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return encoded;
}
