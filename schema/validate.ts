import type { SchemaValidateFunction } from 'ajv';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type FieldProblem, listedProblems, MAX_PROBLEMS } from '../src/kernel/errors.ts';
import { impossibleRule } from '../src/routing/impossibleRule.ts';
import { boundValue } from './boundValue.ts';
import { didYouMean } from './didYouMean.ts';
import { FORMATS } from './formats.ts';
import type { JsonSchema } from './inputSchema.ts';

/** Returns every invalid field of a value. With `coerce`, strings are converted to the expected numbers and booleans. */
export type Validator = (value: unknown) => FieldProblem[];

const bodies = makeAjv(false);
const queries = makeAjv(true);

/**
 * The validator of a schema. It is compiled on first use, because compiling all of the two hundred schemas would delay the start
 * by a second. That they are valid is checked by a test.
 */
export function compileValidator(schema: JsonSchema, { coerce = false } = {}): Validator {
  const ajv = coerce ? queries : bodies;
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= ajv.compile(schema);
    const bounded = boundValue(value, schema);
    const strays = strayCharacters(value);
    const problems = problemsOf(check, bounded.value, { strays, left: bounded.left });
    return coerce ? problems.map(asParameter) : problems;
  };
}

/** Calls fields parameters, as a query does. */
function asParameter({ message, ...problem }: FieldProblem): FieldProblem {
  return { ...problem, message: message.replace(/^Is not a known field\./, 'Is not a known parameter.') };
}

function makeAjv(coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    coerceTypes,
    verbose: true,
    discriminator: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    // Compiling the schema of schemas takes longer than most of ours.
    validateSchema: false,
    // "1e400" is coerced to Infinity, which would then be exempt from minimum and maximum.
    strictNumbers: !coerceTypes,
  });
  for (const [name, { problem }] of Object.entries(FORMATS)) {
    ajv.addFormat(name, { type: 'string', validate: (value) => problem(value) === null });
  }
  for (const keyword of ['x-message', 'x-input', 'x-name']) ajv.addKeyword({ keyword, schemaType: 'string' });
  ajv.addKeyword({ keyword: 'x-possible', schemaType: 'boolean', errors: true, validate: checkPossible });
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    schemaType: 'number',
    validate: (limit: number, value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= limit,
  });
  return ajv;
}

/** Refuses conditions of a rule that no visitor can fit. */
function checkPossible(_: boolean, when: object): boolean {
  const impossible = impossibleRule(when);
  // Ajv reads the errors of a keyword from its function.
  (checkPossible as SchemaValidateFunction).errors =
    impossible === null ? [] : [{ keyword: 'x-possible', params: { ...impossible } }];
  return impossible === null;
}

interface Known {
  /** Problems that were found before. */
  strays: readonly FieldProblem[];
  /** Parts of the value that were left out as no better than the others. */
  left: number;
}

/**
 * The first problem of each field: further ones are mostly its consequences. Only those that are listed get their sentence,
 * because the nearest of many names takes long to find.
 */
function problemsOf(check: ValidateFunction, value: unknown, { strays, left }: Known): FieldProblem[] {
  const isValid = check(value);
  // "if" only reports that one of its parts failed, which has an error of its own.
  const errors = isValid ? [] : (check.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  if (errors.length === 0 && strays.length === 0) return [];
  const problems = new Map<string, FieldProblem>();
  let unlisted = left;
  const add = (path: string, describe: () => FieldProblem) => {
    if (problems.has(path)) return;
    if (problems.size < MAX_PROBLEMS) problems.set(path, describe());
    else unlisted += 1;
  };
  for (const stray of strays) add(stray.path, () => stray);
  for (const error of errors) {
    const path = pathOf(error);
    add(path, () => ({ path, message: messageOf(error), ...ruleOf(error) }));
  }
  return listedProblems([...problems.values()], unlisted);
}

function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') parts.push(params.missingProperty);
  if (keyword === 'discriminator') parts.push(params.tag);
  if (keyword === 'x-possible') parts.push(...String(params.field).split('.'));
  if (keyword === 'additionalProperties') parts.push(params.additionalProperty);
  return parts.join('.');
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

type Params = Record<string, unknown>;

/** The message for each keyword of JSON Schema that rules use. */
const MESSAGES: Record<string, (params: Params, error: ErrorObject) => string> = {
  required: () => 'Is required.',
  additionalProperties: ({ additionalProperty }, { parentSchema }) =>
    `Is not a known field.${didYouMean(String(additionalProperty), Object.keys(parentSchema?.properties ?? {}))}`,
  type: ({ type }) =>
    `Must be ${[type]
      .flat()
      .map((name) => TYPE_NAMES[String(name)])
      .join(' or ')}.`,
  enum: ({ allowedValues }) =>
    // Null, where it is allowed, is not listed: it means "none", and a query cannot express it.
    `Must be one of: ${(allowedValues as unknown[]).filter((value) => value !== null).join(', ')}.`,
  const: ({ allowedValue }) => `Must be ${String(allowedValue)}.`,
  minLength: ({ limit }) => (limit === 1 ? 'Must not be empty.' : `Must have at least ${limit} characters.`),
  maxLength: ({ limit }) => `Must have at most ${limit} characters.`,
  minItems: ({ limit }) => `Must have at least ${limit} ${limit === 1 ? 'entry' : 'entries'}.`,
  maxItems: ({ limit }) => `Must have at most ${limit} entries.`,
  minProperties: ({ limit }) => `Must have at least ${limit} ${limit === 1 ? 'field' : 'fields'}.`,
  uniqueItems: () => 'Must not have the same entry twice.',
  minimum: ({ limit }) => `Must be at least ${limit}.`,
  maximum: ({ limit }) => `Must be at most ${limit}.`,
  'x-possible': ({ message }) => String(message),
  'x-max-bytes': (_, { schema }) => `Must have at most ${schema} bytes as JSON.`,
  format: ({ format }, { data }) => FORMATS[String(format)]?.problem(String(data)) ?? `Must be a ${format}.`,
  discriminator: ({ tag, tagValue }, { parentSchema }) =>
    tagValue === undefined ? 'Is required.' : `Must be one of: ${tagsOf(parentSchema?.oneOf, String(tag)).join(', ')}.`,
};

function tagsOf(branches: JsonSchema[], tag: string): unknown[] {
  return branches.map(({ properties }) => (properties as Record<string, JsonSchema>)[tag]?.const);
}

/** The rule that was broken, by which a client finds its own words. */
function ruleOf(error: ErrorObject): Pick<FieldProblem, 'rule' | 'limit'> {
  if (isUnixTime(error)) return { rule: 'format', limit: 'date-time' };
  const { keyword, params, schema, parentSchema } = error;
  if (keyword === 'x-max-bytes') return { rule: 'maxBytes', limit: schema };
  if (keyword === 'discriminator') {
    const isMissing = params.tagValue === undefined;
    return isMissing
      ? { rule: 'required', limit: null }
      : { rule: 'enum', limit: tagsOf(parentSchema?.oneOf, String(params.tag)) };
  }
  return { rule: keyword, limit: LIMIT_OF[keyword]?.(params) ?? null };
}

const numberOf = ({ limit }: Params) => limit;

/** What the rules demand that have more to say than their name. */
const LIMIT_OF: Record<string, (params: Params) => unknown> = {
  ...Object.fromEntries(
    ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'minimum', 'maximum'].map((name) => [
      name,
      numberOf,
    ]),
  ),
  format: ({ format }) => format,
  enum: ({ allowedValues }) => (allowedValues as unknown[]).filter((value) => value !== null),
};

/** A number instead of a time is Unix time, which the format explains. */
function isUnixTime({ keyword, parentSchema, data }: ErrorObject): boolean {
  return keyword === 'type' && parentSchema?.format === 'date-time' && typeof data === 'number';
}

function messageOf(error: ErrorObject): string {
  const own = (error.parentSchema as { 'x-message'?: string } | undefined)?.['x-message'];
  if (error.keyword === 'pattern' && own) return own;
  if (isUnixTime(error)) return String(FORMATS['date-time']?.problem(String(error.data)));
  return MESSAGES[error.keyword]?.(error.params, error) ?? `Is not valid: ${error.message}.`;
}

/** Finds U+0000 and unpaired surrogates, which PostgreSQL cannot store, anywhere in a value. */
function strayCharacters(value: unknown): FieldProblem[] {
  return hasStray(value) ? straysOf(value, []) : [];
}

/** A fast check without paths, because almost no value contains any. */
function hasStray(value: unknown): boolean {
  if (typeof value === 'string') return isStray(value);
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(hasStray);
  for (const key of Object.keys(value)) {
    if (isStray(key) || hasStray(value[key as keyof typeof value])) return true;
  }
  return false;
}

function isStray(text: string): boolean {
  return !text.isWellFormed() || text.includes('\u0000');
}

/** At most one more than is listed. */
function straysOf(value: unknown, path: string[], found: FieldProblem[] = []): FieldProblem[] {
  if (found.length > MAX_PROBLEMS) return found;
  if (typeof value === 'string') {
    const message = 'Must not contain U+0000 or half of a surrogate pair.';
    if (isStray(value)) found.push({ path: path.join('.'), message, rule: 'characters', limit: null });
  } else if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      straysOf(key, path, found);
      straysOf(inner, [...path, key], found);
    }
  }
  return found;
}
