import type { Fields } from './types.ts';

/** A JSON Schema of the kind that the server prints for the files. */
export type Schema = Fields;

/** A value that breaks its schema; `path` has the keys down to it. */
export interface Misfit {
  path: (string | number)[];
  message: string;
}

/**
 * Checks a value by a JSON Schema and returns every misfit. It knows the keywords that the server uses, and throws for
 * others: a rule must not be skipped silently. Where a schema has alternatives, the type of the value chooses among them, so
 * that one sentence says what is wrong.
 */
export function checkSchema(root: Schema, value: unknown): Misfit[] {
  const misfits: Misfit[] = [];
  check({ root, misfits }, root, value, []);
  return misfits;
}

interface Run {
  root: Schema;
  misfits: Misfit[];
}

type Path = (string | number)[];
type Rule = (limit: never, value: never, schema: Schema) => string | null;

const TYPE_NAMES: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a group of fields',
  array: 'a list',
  null: 'null',
};

/** Keywords that say nothing about validity, or that `check` reads itself. */
const OTHER_KEYWORDS = new Set([
  ...['$schema', '$id', '$ref', '$defs', 'components', 'title', 'description', 'default', 'examples', 'deprecated'],
  ...['type', 'oneOf', 'anyOf', 'properties', 'required', 'additionalProperties', 'propertyNames', 'items', 'format'],
  ...['x-name', 'x-message', 'x-input', 'errorMessage', 'markdownDescription'],
]);

const RULES: Record<string, Rule> = {
  enum: (allowed: unknown[], value: unknown) =>
    allowed.includes(value) ? null : `Must be one of: ${allowed.filter((one) => one !== null).join(', ')}.`,
  const: (allowed: unknown, value: unknown) => (allowed === value ? null : `Must be ${String(allowed)}.`),
  minLength: (limit: number, value: string) =>
    lengthOf(value) >= limit ? null : limit === 1 ? 'Must not be empty.' : `Must have at least ${limit} characters.`,
  maxLength: (limit: number, value: string) =>
    value.length <= limit || lengthOf(value) <= limit ? null : `Must have at most ${limit} characters.`,
  pattern: (source: string, value: string, schema: Schema) =>
    patternOf(source).test(value) ? null : String(schema['x-message'] ?? messageOfFormat(schema)),
  minimum: (limit: number, value: number) => (value >= limit ? null : `Must be at least ${limit}.`),
  maximum: (limit: number, value: number) => (value <= limit ? null : `Must be at most ${limit}.`),
  minItems: (limit: number, value: unknown[]) =>
    value.length >= limit ? null : `Must have at least ${limit} ${limit === 1 ? 'entry' : 'entries'}.`,
  maxItems: (limit: number, value: unknown[]) => (value.length <= limit ? null : `Must have at most ${limit} entries.`),
  uniqueItems: (_: true, value: unknown[]) =>
    new Set(value.map((one) => JSON.stringify(one))).size === value.length
      ? null
      : 'Must not have the same entry twice.',
  minProperties: (limit: number, value: object) =>
    Object.keys(value).length >= limit ? null : `Must have at least ${limit} ${limit === 1 ? 'field' : 'fields'}.`,
  maxProperties: (limit: number, value: object) =>
    Object.keys(value).length <= limit ? null : `Must have at most ${limit} entries.`,
  'x-max-bytes': (limit: number, value: unknown) =>
    new TextEncoder().encode(JSON.stringify(value)).length <= limit
      ? null
      : `Must have at most ${limit} bytes as JSON.`,
} as unknown as Record<string, Rule>;

/** The types that a rule speaks of; the others it lets pass, as JSON Schema says. */
const RULE_TYPES: Record<string, string> = {
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  minimum: 'number',
  maximum: 'number',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  minProperties: 'object',
  maxProperties: 'object',
};

function check(run: Run, given: Schema, value: unknown, path: Path): void {
  const schema = followed(run.root, given);
  const alternatives = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (alternatives) {
    checkAlternatives(run, alternatives, value, path);
    return;
  }
  if (!hasType(schema, value)) {
    run.misfits.push({ path, message: typeMessage(schema, value) });
    return;
  }
  const kind = kindOf(value);
  for (const keyword of Object.keys(schema)) {
    const rule = RULES[keyword];
    if (!rule && !OTHER_KEYWORDS.has(keyword)) throw new Error(`checkSchema knows no keyword ${keyword}`);
    if (!rule || (RULE_TYPES[keyword] ?? kind) !== kind) continue;
    if (value === null && keyword === 'x-max-bytes') continue;
    const message = rule(schema[keyword] as never, value as never, schema);
    if (message) {
      run.misfits.push({ path, message });
      // Further misfits of the same value are mostly consequences.
      return;
    }
  }
  if (kind === 'string' && schema.format === 'date-time' && !isTime(value as string))
    run.misfits.push({ path, message: NO_TIME });
  if (kind === 'array' && schema.items) {
    (value as unknown[]).forEach((one, at) => {
      check(run, schema.items as Schema, one, [...path, at]);
    });
  }
  if (kind === 'object') checkObject(run, schema, value as Fields, path);
}

/** The alternative that has the type of the value decides; of several, the one with the fewest misfits. */
function checkAlternatives(run: Run, alternatives: Schema[], value: unknown, path: Path): void {
  const followedOnes = alternatives.map((one) => followed(run.root, one));
  const fitting = followedOnes.filter((one) => hasType(one, value));
  if (fitting.length === 0) {
    const type = followedOnes.flatMap((one) => (one.type as string | string[] | undefined) ?? []);
    run.misfits.push({ path, message: typeMessage({ type }, value) });
    return;
  }
  const misfits = fitting.map((one) => {
    const trial: Run = { root: run.root, misfits: [] };
    check(trial, one, value, path);
    return trial.misfits;
  });
  const best = misfits.reduce((least, one) => (one.length < least.length ? one : least));
  run.misfits.push(...best);
}

function checkObject(run: Run, schema: Schema, value: Fields, path: Path): void {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  for (const name of (schema.required ?? []) as string[]) {
    if (!Object.hasOwn(value, name)) run.misfits.push({ path: [...path, name], message: 'Is required.' });
  }
  const others = schema.additionalProperties;
  for (const [name, one] of Object.entries(value)) {
    const at = [...path, name];
    if (schema.propertyNames) check(run, schema.propertyNames as Schema, name, at);
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known) check(run, known, one, at);
    else if (others === false)
      run.misfits.push({ path: at, message: `Is not a known field.${didYouMean(name, Object.keys(properties))}` });
    else if (others && others !== true) check(run, others as Schema, one, at);
  }
}

/** The schema itself, or the one that its `$ref` names, with what stands beside the reference. */
export function followed(root: Schema, schema: Schema): Schema {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  let found: unknown = root;
  for (const part of $ref.replace(/^#\//, '').split('/')) found = (found as Fields | undefined)?.[part];
  if (!found) throw new Error(`The schema has no ${$ref}`);
  return followed(root, found as Schema);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function hasType({ type }: Schema, value: unknown): boolean {
  if (type === undefined) return true;
  const kind = kindOf(value);
  return [type].flat().some((name) => name === kind || (name === 'integer' && Number.isInteger(value)));
}

function typeMessage({ type }: Schema, value: unknown): string {
  const types = [...new Set([type].flat() as string[])];
  const names = types.map((name) => TYPE_NAMES[name] ?? name);
  const isQuoted = types.includes('string') && ['number', 'boolean'].includes(kindOf(value));
  return `Must be ${names.join(' or ')}${isQuoted ? `; put quotes around ${String(value)}` : ''}.`;
}

/** In characters, not in UTF-16 units. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

const patterns = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  const known = patterns.get(source);
  if (known) return known;
  const made = new RegExp(source, 'u');
  patterns.set(source, made);
  return made;
}

const NO_TIME = 'Must be an ISO 8601 time with a zone, such as 2026-12-01T00:00:00.000Z.';

/** What to write, for the formats of the server. */
const FORMATS: Record<string, string> = {
  'date-time': NO_TIME,
  uri: 'Must be an http or https URL, such as https://example.com/page.',
  destination: 'Must be an absolute URL, such as https://example.com/page.',
  fallback: 'Must be "store" or a URL.',
  slug: 'Must be letters, digits, - _ . ~ and single slashes between them.',
  country: 'Must be a country code of two letters, as ISO 3166-1 assigns them, such as DE.',
  language: 'Must be a language tag such as de or de-AT.',
  referrer_host: 'Must be a host such as t.co; it stands for itself without its subdomains.',
  host: 'Must be a host such as go.example.com, without scheme and path.',
};

function messageOfFormat({ format, pattern }: Schema): string {
  return FORMATS[String(format)] ?? `Must match ${String(pattern)}.`;
}

/** Whether the day exists: `Date.parse` takes February 30 for a day in March. */
function isTime(value: string): boolean {
  const day = value.slice(0, 10);
  const start = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(Date.parse(value)) || Number.isNaN(start) || value.slice(11, 13) > '23') return false;
  return new Date(start).toISOString().startsWith(day);
}

/** The nearest known name as a question, or nothing where none is near. */
function didYouMean(name: string, known: string[]): string {
  const near = known
    .map((one) => ({ one, distance: distanceOf(name.toLowerCase(), one) }))
    .filter(({ one, distance }) => distance <= Math.max(1, Math.floor(one.length / 3)))
    .sort((a, b) => a.distance - b.distance)[0];
  return near ? ` Did you mean ${near.one}?` : '';
}

/** Levenshtein's distance. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let k = 1; k <= b.length; k += 1) {
      const replaced = (row[k - 1] as number) + (a[i - 1] === b[k - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[k] as number) + 1, (next[k - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
