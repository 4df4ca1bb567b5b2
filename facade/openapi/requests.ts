import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import { ruleOf, schemaOfInputs } from '../../schema/inputSchema.ts';
import { snakeCase } from '../../src/kernel/wire.ts';
import { CSV_LIMIT } from '../readBody.ts';
import type { CompiledRoute } from '../route.ts';
import { REQUEST_EXAMPLES, TEXT_EXAMPLES } from './examples.ts';
import { type Json, ref } from './parts.ts';
import type { Examples } from './responses.ts';

/** The body that an operation takes; nothing where it takes none. */
export function describeRequestBody(route: CompiledRoute, schema: Json | undefined, exampleOf: Examples): Json {
  if (route.takes === 'csv') {
    const example = TEXT_EXAMPLES[route.id];
    const content = { schema: { type: 'string', contentMediaType: 'text/csv' }, ...(example ? { example } : {}) };
    const description = `A CSV file in UTF-8, at most ${CSV_LIMIT / 1_000_000} MB.`;
    return { requestBody: { description, required: true, content: { 'text/csv': content } } };
  }
  if (!schema) return {};
  const example = REQUEST_EXAMPLES[route.id] ?? exampleOf(schema);
  const about = [
    ...(route.method === 'PATCH' && !route.needsBody
      ? ['Without a body, or with an empty one, nothing is changed.']
      : []),
    ...(route.bodyLimit ? [`At most ${route.bodyLimit / 1024 / 1024} MiB.`] : []),
  ];
  const description = about.length > 0 ? { description: about.join(' ') } : {};
  return {
    requestBody: { ...description, required: route.needsBody, content: { 'application/json': { schema, example } } },
  };
}

/**
 * The schema of every body that is JSON, by the id of the operation. Input types become components: `CreateLinkInput` is
 * `CreateLink`, unless an answer has that name.
 */
export function inputSchemas(
  routes: CompiledRoute[],
  schema: GraphQLSchema,
  taken: ReadonlySet<string>,
): { bodies: Map<string, Json>; components: Record<string, Json> } {
  const components: Record<string, Json> = {};
  const open = new Set(routes.flatMap(({ on, bodyType }) => (on.ignoresUnknown && bodyType ? typesIn(bodyType) : [])));

  const component = (type: GraphQLInputObjectType): Json => {
    const short = type.name.replace(/Input$/, '');
    const name = taken.has(short) ? type.name : short;
    if (!components[name]) {
      // Named before it is described: a type may hold itself.
      components[name] = {};
      components[name] = described(Object.values(type.getFields()));
      // What is passed over is not refused.
      if (open.has(type)) delete components[name].additionalProperties;
    }
    return ref('schemas', name);
  };

  const described = (fields: GraphQLInputField[]): Json => {
    const whole = schemaOfInputs(fields, 'wire') as { properties: Record<string, Json> };
    const properties = Object.entries(whole.properties).map(([name, value]) => {
      const field = fields.find((candidate) => snakeCase(candidate.name) === name);
      return [name, field ? named(value, field) : value];
    });
    return { ...whole, properties: Object.fromEntries(properties) };
  };

  const named = (value: Json, field: GraphQLInputField): Json => {
    const type = getNamedType(field.type as GraphQLInputType);
    if (!isInputObjectType(type) || ruleOf(field).schema) return followed(value) as Json;
    const inner = component(type);
    const about = value.description ? { description: value.description } : {};
    if (value.items) return { ...value, items: inner };
    return [value.type].flat().includes('null')
      ? { ...about, oneOf: [inner, { type: 'null' }] }
      : { ...about, ...inner };
  };

  /** Free-form values that say `x-input` have the rules of that input type, checked by hand: see schema/links/linkRules.ts. */
  const followed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(followed);
    if (value === null || typeof value !== 'object') return value;
    const type = schema.getType(String((value as Json)['x-input']));
    if (isInputObjectType(type)) return component(type);
    return freeForm(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, followed(inner)])));
  };

  const bodies = new Map<string, Json>();
  for (const { id, bodyType } of routes) if (bodyType) bodies.set(id, component(bodyType));
  return { bodies, components };
}

/** An input type with all that stand in its fields. */
function typesIn(type: GraphQLInputObjectType, known = new Set<GraphQLInputObjectType>()): GraphQLInputObjectType[] {
  known.add(type);
  for (const { type: inner } of Object.values(type.getFields())) {
    const named = getNamedType(inner);
    if (isInputObjectType(named) && !known.has(named)) typesIn(named, known);
  }
  return [...known];
}

/** Says so of an object that may have any fields: without a word, makers of types take it for one that has none. */
function freeForm(value: Json): Json {
  const isObject = [value.type].flat().includes('object');
  return isObject && !value.properties && !value.oneOf && value.additionalProperties === undefined
    ? { ...value, additionalProperties: true }
    : value;
}
