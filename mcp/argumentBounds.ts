import type { FieldProblem, Json } from './parts.ts';

/** The longest text of an argument whose schema names no other bound: the largest `data` of a link is one text of 16 KiB. */
const MAX_LENGTH = 16 * 1024;
/** The longest list of one: a bulk call takes as many links. */
const MAX_ITEMS = 1000;
/** The most names of an object: the largest `data` of a link has fewer. */
const MAX_NAMES = 4000;
/** Names of a call: no tool has half as many arguments. */
const MAX_ARGUMENTS = 50;
/** Texts, numbers, lists and objects of a call: a thousand links with fifty fields each have fewer. */
const MAX_VALUES = 100_000;
/** As many problems are listed. */
const MAX_PROBLEMS = 20;

/**
 * What is too large in the arguments of a call, before anything else looks at them: every text, list and object has a
 * bound, its own or one of these. Whatever works with arguments may take time in proportion to them.
 */
export function boundProblems(args: Json, inputSchema: Json): FieldProblem[] {
  const found: FieldProblem[] = [];
  let values = 0;
  const visit = (value: unknown, schema: Json, path: string): void => {
    values += 1;
    if (values > MAX_VALUES || found.length >= MAX_PROBLEMS) return;
    if (typeof value === 'string') {
      const limit = numberOf(schema.maxLength, MAX_LENGTH);
      if (value.length > limit) found.push({ path, message: `Must have at most ${limit} characters.` });
      return;
    }
    if (value === null || typeof value !== 'object') return;
    const [size, limit, what] = Array.isArray(value)
      ? [value.length, numberOf(schema.maxItems, MAX_ITEMS), 'entries']
      : [Object.keys(value).length, numberOf(schema.maxProperties, MAX_NAMES), 'fields'];
    if (size > limit) {
      found.push({ path, message: `Must have at most ${limit} ${what}; it has ${size}.` });
      return;
    }
    for (const [name, inner] of Object.entries(value)) visit(inner, schemaWithin(schema, name), within(path, name));
  };
  visit(args, { ...inputSchema, maxProperties: MAX_ARGUMENTS }, '');
  if (values > MAX_VALUES) found.push({ path: '', message: `The arguments hold more than ${MAX_VALUES} values.` });
  return found;
}

function numberOf(given: unknown, otherwise: number): number {
  return typeof given === 'number' ? given : otherwise;
}

/** The schema of a field or entry; an empty one where the schema says nothing about it. */
function schemaWithin({ properties, items, additionalProperties }: Json, name: string): Json {
  if (items) return items as Json;
  if (properties && Object.hasOwn(properties, name)) return (properties as Record<string, Json>)[name] as Json;
  return typeof additionalProperties === 'object' ? (additionalProperties as Json) : {};
}

function within(path: string, name: string): string {
  const shown = name.slice(0, 100);
  return path ? `${path}.${shown}` : shown;
}
