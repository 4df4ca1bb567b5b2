type Json = Record<string, unknown>;

/** Texts that were seen to cost more than their length, repeated to any length. */
export const FILLINGS: Record<string, (length: number) => string> = {
  letters: (length) => 'x'.repeat(length),
  words: (length) => repeated('x y', length),
  differentWords: (length) => numbered(length, (at) => `w${at.toString(36)} `),
  aliases: (length) => `links: ${repeated('&a ', length - 7)}`,
  brackets: (length) => repeated('{', length),
  quotes: (length) => repeated('"a\n', length),
  returns: (length) => repeated('\r', length),
  commas: (length) => repeated('a,', length),
  percents: (length) => repeated('%41', length),
  slashes: (length) => repeated('../', length),
  letterPairs: (length) => repeated('é\u0301😀', length).toWellFormed(),
};

function repeated(part: string, length: number): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}

function numbered(length: number, make: (at: number) => string): string {
  let text = '';
  for (let at = 0; text.length < length; at += 1) text += make(at);
  return text.slice(0, length);
}

/** Bodies of about this many bytes that have the form of nothing. */
export const MISSHAPEN: Record<string, (bytes: number) => string> = {
  unknownNames: (bytes) => `{${numbered(bytes - 20, (at) => `"n${at.toString(36)}":1,`).replace(/,[^,]*$/, '')}}`,
  numbers: (bytes) => `{"links":[${repeated('1,', bytes - 20)}1]}`,
  emptyTexts: (bytes) => `{"ids":[${repeated('"",', bytes - (bytes % 3) - 21)}""]}`,
  nested: (bytes) => `{"a":${'['.repeat(bytes / 2 - 10)}${']'.repeat(bytes / 2 - 10)}}`,
  broken: (bytes) => `{"a":"${repeated('b', bytes - 20)}",}`,
  emptyObjects: (bytes) => `{"links":[${repeated('{},', bytes - (bytes % 3) - 21)}{}]}`,
};

/** The largest value that a schema admits, as far as it tells: texts, lists and numbers at their bounds. */
export function largest(
  schema: Json,
  schemas: Record<string, Json>,
  filling: (length: number) => string,
  depth = 0,
): unknown {
  const { $ref, type, properties, items, maxLength, maxItems, oneOf, format } = schema as Json & {
    $ref?: string;
    properties?: Record<string, Json>;
    items?: Json;
    oneOf?: Json[];
  };
  const inner = (within: Json) => largest(within, schemas, filling, depth + 1);
  if ($ref) return inner(schemas[String($ref.split('/').at(-1))] ?? {});
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return (schema.enum as unknown[])[0];
  if (depth > 8) return null;
  if (oneOf) return inner(oneOf.find((branch) => branch.type !== 'null') ?? {});
  const kinds = [type].flat();
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, within]) => [name, inner(within)]));
  if (kinds.includes('array')) {
    const count = Math.min(Number(maxItems ?? 100), depth > 1 ? 20 : 1000);
    return Array.from({ length: count }, (_, at) => unlike(inner(items ?? {}), at));
  }
  if (kinds.includes('object')) return { text: filling(16_000) };
  if (kinds.includes('integer') || kinds.includes('number')) return schema.maximum ?? 1000;
  if (kinds.includes('boolean')) return true;
  if (format === 'date-time') return '2026-11-01T00:00:00.000Z';
  if (format === 'destination') return `https://example.com/${'x'.repeat(8000)}`;
  return filling(Math.min(Number(maxLength ?? 2000), 10_000));
}

/** Entries of a list that must differ. */
function unlike(value: unknown, at: number): unknown {
  return typeof value === 'string' ? `${at}${value}`.slice(0, Math.max(value.length, 4)) : value;
}
