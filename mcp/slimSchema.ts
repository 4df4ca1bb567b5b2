import { fileArgumentOf } from './offered.ts';
import type { ApiTable, Json, Operation } from './parts.ts';

/** What a model gains nothing from; the server checks all of it. */
const LEFT_OUT = new Set([
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minProperties',
  'uniqueItems',
  'additionalProperties',
  'discriminator',
  'examples',
  'example',
  'default',
  'title',
]);

/** How deep objects are described; what lies deeper is an object without a description of its fields. */
const MAX_DEPTH = 3;

/** A schema as a model needs it: without null types, lengths, formats and extensions, and with references inlined. */
export function slimSchema(schema: Json, schemas: ApiTable['schemas'], depth = 0): Json {
  const shown = withoutNull(resolved(schema, schemas), schemas);
  const slim: Json = {};
  for (const [keyword, value] of Object.entries(shown)) {
    if (LEFT_OUT.has(keyword) || keyword.startsWith('x-')) continue;
    if (keyword === 'properties') {
      if (depth < MAX_DEPTH)
        slim.properties = mapValues(value as Record<string, Json>, (inner) => slimSchema(inner, schemas, depth + 1));
    } else if (keyword === 'items') slim.items = slimSchema(value as Json, schemas, depth + 1);
    else if (keyword === 'oneOf' || keyword === 'anyOf') {
      slim[keyword] = (value as Json[]).map((inner) => slimSchema(inner, schemas, depth + 1));
    } else if (keyword === 'enum') slim.enum = (value as unknown[]).filter((entry) => entry !== null);
    else slim[keyword] = value;
  }
  if (depth >= MAX_DEPTH) delete slim.required;
  return slim;
}

/** Every argument of an operation in one list: those of path and query, and the fields of its body. */
export function argumentsOf(
  operation: Operation,
  schemas: ApiTable['schemas'],
): { properties: Record<string, Json>; required: string[] } {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const param of operation.params) {
    properties[param.name] = described(param.schema, param.description);
    if (param.required) required.push(param.name);
  }
  const file = fileArgumentOf(operation);
  if (file) {
    properties[file] = { type: 'string', description: `The text of the file (${operation.body?.mediaType})` };
    if (operation.body?.required) required.push(file);
  } else if (operation.body) {
    const body = resolved(operation.body.schema, schemas);
    Object.assign(properties, body.properties);
    required.push(...((body.required as string[] | undefined) ?? []));
  }
  return { properties, required };
}

/** The schema behind a reference, with what stands beside it. */
export function resolved(schema: Json, schemas: ApiTable['schemas']): Json {
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...beside } = schema;
  return { ...resolved(schemas[String($ref).split('/').at(-1) ?? ''] ?? {}, schemas), ...beside };
}

function withoutNull(schema: Json, schemas: ApiTable['schemas']): Json {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return { ...schema, type: types.length === 1 ? types[0] : types };
  }
  if (!Array.isArray(schema.oneOf)) return schema;
  const branches = (schema.oneOf as Json[]).filter(({ type }) => type !== 'null');
  const { oneOf: _, ...beside } = schema;
  if (branches.length !== 1) return { ...beside, oneOf: branches };
  return { ...resolved(branches[0] as Json, schemas), ...beside };
}

function described(schema: Json, description: string | null): Json {
  return description ? { ...schema, description } : schema;
}

function mapValues<Value, Result>(
  values: Record<string, Value>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
