import { isDeepStrictEqual } from 'node:util';
import { FORMATS } from '../../schema/formats.ts';

/** A part of the document. */
export type Json = Record<string, unknown>;

type Kind = 'schemas' | 'responses' | 'headers' | 'parameters' | 'examples';

/** A reference to a component. */
export function ref(kind: Kind, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The schema, or null. */
export function orNull(schema: Json): Json {
  if (schema.$ref) return { oneOf: [schema, { type: 'null' }] };
  return schema.type ? { ...schema, type: [schema.type, 'null'].flat() } : schema;
}

/** An object that has all of these fields. */
export function object(properties: Record<string, Json>): Json {
  return { type: 'object', properties, required: Object.keys(properties) };
}

type Parts = Record<string, Json>;
interface Operation extends Json {
  parameters: Json[];
  responses: Parts;
}

/**
 * Removes repetition: named schemas (`x-name`), responses and parameters become components, which saves two thirds of the
 * document. Formats get a pattern for tools that do not know them.
 */
export function shareParts(document: Json): Json {
  const components = document.components as Record<string, Parts>;
  const named: Parts = {};
  const shared = (part: unknown) =>
    mapObjects(part, (schema) => withName(withPattern(withoutOwnWords(schema)), named)) as Parts;
  const [paths, webhooks, schemas] = [shared(document.paths), shared(document.webhooks), shared(components.schemas)];
  const operations = Object.values(paths).flatMap((item) => Object.values(item).filter(isOperation));
  const examples = { ...components.examples, ...shareExamples(operations) };
  const responses = shareResponses(operations);
  const parameters = { ...components.parameters, ...shareParameters(operations) };
  return {
    ...document,
    paths,
    webhooks,
    components: { ...components, schemas: { ...schemas, ...named }, responses, parameters, examples },
  };
}

/** These keys hold values, even where they look like parts of the document. */
const VALUES = new Set(['example', 'examples', 'default', 'const', 'enum']);

/** A copy in which every object is what `change` makes of it, the inner ones first. */
function mapObjects(part: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(part)) return part.map((entry) => mapObjects(entry, change));
  if (part === null || typeof part !== 'object') return part;
  const entries = Object.entries(part).map(([key, inner]) => [
    key,
    VALUES.has(key) ? inner : mapObjects(inner, change),
  ]);
  return change(Object.fromEntries(entries));
}

/** Keywords that only our own validation uses. */
function withoutOwnWords({ 'x-message': _, 'x-possible': __, ...schema }: Json): Json {
  return schema;
}

function withPattern(schema: Json): Json {
  if (typeof schema.format !== 'string' || schema.pattern !== undefined) return schema;
  const known = FORMATS[schema.format];
  if (!known) throw new Error(`There is no format ${schema.format}`);
  return { ...schema, pattern: known.pattern };
}

/** A reference in the place of a schema that has a name, which goes to `named`. */
function withName(schema: Json, named: Parts): Json {
  const { 'x-name': name, description, ...rest } = schema;
  if (typeof name !== 'string') return schema;
  const types = [rest.type].flat();
  const isNullable = types.includes('null');
  const component = withMapping(isNullable ? withoutNull(rest) : rest, named);
  if (named[name] && !isDeepStrictEqual(named[name], component)) throw new Error(`Two schemas have the name ${name}`);
  named[name] = component;
  const to = ref('schemas', name);
  // The description belongs to the field, not to the shared schema.
  return { ...(description ? { description } : {}), ...(isNullable ? { oneOf: [to, { type: 'null' }] } : to) };
}

function withoutNull({ enum: words, ...schema }: Json): Json {
  const [type] = [schema.type].flat().filter((name) => name !== 'null');
  return { ...schema, type, ...(Array.isArray(words) ? { enum: words.filter((word) => word !== null) } : {}) };
}

/** Says which value of the discriminator means which of the branches; they have names of their own. */
function withMapping(schema: Json, named: Parts): Json {
  const { discriminator, oneOf } = schema as { discriminator?: { propertyName: string }; oneOf?: { $ref: string }[] };
  if (!discriminator || !oneOf) return schema;
  const mapping = oneOf.map(({ $ref }) => {
    const { properties } = named[$ref.slice($ref.lastIndexOf('/') + 1)] as { properties: Parts };
    return [properties[discriminator.propertyName]?.const, $ref];
  });
  return { ...schema, discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } };
}

function isOperation(part: unknown): part is Operation {
  return part !== null && typeof part === 'object' && 'responses' in part;
}

/** Examples that responses of several operations share, by the name of their schema. */
function shareExamples(operations: Operation[]): Parts {
  const bodies = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap((response): Json[] => [jsonOf(response) ?? []].flat()),
  );
  const uses = count(bodies);
  const examples: Parts = {};
  for (const body of bodies) {
    const name = nameOfSchema(body);
    if (!name || body.example === undefined || uses(body) < 2) continue;
    examples[name] ??= { value: body.example };
    if (!isDeepStrictEqual(examples[name].value, body.example)) continue;
    delete body.example;
    body.examples = { [name]: ref('examples', name) };
  }
  return examples;
}

function jsonOf({ content }: Json): Json | undefined {
  return (content as Parts | undefined)?.['application/json'];
}

function nameOfSchema(body: Json | undefined): string {
  const pointer = String((body?.schema as Json | undefined)?.$ref ?? '');
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** Refusals are components all of them, other answers where two operations have the same. */
function shareResponses(operations: Operation[]): Parts {
  const uses = count(operations.flatMap(({ responses }) => Object.values(responses)));
  const components: Parts = {};
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const isRefusal = Number(status) >= 400;
      const name = nameOfResponse(status, response);
      const isTaken = components[name] !== undefined && !isDeepStrictEqual(components[name], response);
      if (isTaken && isRefusal) throw new Error(`Two refusals have the name ${name}`);
      if (isTaken || (!isRefusal && uses(response) < 2)) continue;
      components[name] = response;
      responses[status] = ref('responses', name);
    }
  }
  return components;
}

/**
 * A refusal is named by its codes, a success by the schema of its body; `Kept` of them can be replayed. Codes that every
 * operation with such a key has go without saying: they come first, and the name is in the document a hundred times.
 */
const USUAL = new Set(['missing_key', 'publishable_key_refused', 'validation_failed']);

function nameOfResponse(status: string, response: Json): string {
  const body = jsonOf(response);
  const codes = Object.keys((body?.examples ?? {}) as Json);
  const special = codes.filter((code) => !USUAL.has(code));
  const words = Number(status) < 400 ? [nameOfSchema(body)] : special.length > 0 ? special : codes;
  const kept = 'Idempotency-Replayed' in (response.headers as Json) ? 'Kept' : '';
  const made = status === '201' ? 'Made' : '';
  const rehearsed = 'SVC-Dry-Run' in (response.headers as Json) ? 'OrRehearsed' : '';
  return (words.map(pascalCase).join('Or') || 'Done') + made + kept + rehearsed;
}

/** Parameters that several operations share, by name; if they differ, the first one. */
function shareParameters(operations: Operation[]): Parts {
  const uses = count(operations.flatMap(({ parameters }) => parameters));
  const components: Parts = {};
  for (const { parameters } of operations) {
    for (const [at, parameter] of parameters.entries()) {
      if (parameter.$ref || uses(parameter) < 2) continue;
      const name = pascalCase(String(parameter.name)) + (parameter.in === 'path' ? 'InPath' : '');
      components[name] ??= parameter;
      if (isDeepStrictEqual(components[name], parameter)) parameters[at] = ref('parameters', name);
    }
  }
  return components;
}

/** How often a part is among these. */
function count(parts: Json[]): (part: Json) => number {
  const uses = new Map<string, number>();
  for (const part of parts) uses.set(JSON.stringify(part), (uses.get(JSON.stringify(part)) ?? 0) + 1);
  return (part) => uses.get(JSON.stringify(part)) ?? 0;
}

function pascalCase(name: string): string {
  return name.replace(/(^|_)(\w)/g, (_, _start, letter: string) => letter.toUpperCase());
}
