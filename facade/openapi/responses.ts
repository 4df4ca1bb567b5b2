import {
  type FieldNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  print,
  type SelectionSetNode,
} from 'graphql';
import { TIME_SCHEMA, withRule } from '../../schema/inputSchema.ts';
import type { Rule } from '../../schema/rules.ts';
import { answersJson, type CompiledRoute } from '../route.ts';
import { exampleValue, FORMAT_EXAMPLES, TEXT_EXAMPLES } from './examples.ts';
import { successHeaders } from './parameters.ts';
import type { Json } from './parts.ts';

/** Every answer of success of an operation, by status; `schema` is that of its JSON. */
export function describeAnswers(route: CompiledRoute, schema: Json, exampleOf: Examples): Json {
  const answer = (description: string, content?: Json) => ({
    description,
    headers: successHeaders(route),
    ...(content ? { content } : {}),
  });
  if (route.status === 204) return { 204: answer('Done.') };
  if (route.answer === 'stream') return { [route.status]: answer('Server-sent events, without end.', filesOf(route)) };
  if (!answersJson(route)) return { [route.status]: answer('The file.', filesOf(route)) };
  const json = { 'application/json': { schema, example: exampleOf(schema) } };
  if (route.answer === 'upsert')
    return { 200: answer('It existed and was changed.', json), 201: answer('Created.', json) };
  return { [route.status]: answer(ABOUT[route.status], json) };
}

const ABOUT = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted; the work is done after this response.',
  204: 'Done.',
};

/** Bytes as they are: no JSON, so `contentMediaType` says what they hold. */
function filesOf(route: CompiledRoute): Json {
  const types = route.mediaTypes ?? ['text/csv'];
  return Object.fromEntries(
    types.map((type) => {
      const isText = /^text\/|\+xml$/.test(type);
      const example = isText ? TEXT_EXAMPLES[route.id] : undefined;
      return [type, { schema: { type: 'string', contentMediaType: type }, ...(example ? { example } : {}) }];
    }),
  );
}

const SCALARS: Record<string, Json> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  SafeInt: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTimeISO: TIME_SCHEMA,
  JSONObject: { type: 'object', additionalProperties: true },
  JSON: {},
};

/** The schema of every route's answer, read off its selection; objects become components under their type's name. */
export function responseSchemas(
  routes: CompiledRoute[],
  schema: GraphQLSchema,
): { responses: Map<string, Json>; components: Record<string, Json> } {
  const components: Record<string, Json> = {};
  const shown = new Map<string, string>();

  const ofType = (type: GraphQLOutputType, selection: SelectionSetNode | undefined): Json => {
    if (isNonNullType(type)) return ofNonNull(type.ofType, selection);
    const inner = ofNonNull(type, selection);
    if (inner.$ref) return { oneOf: [inner, { type: 'null' }] };
    return inner.type ? { ...inner, type: [inner.type, 'null'].flat() } : inner;
  };
  const ofNonNull = (type: GraphQLOutputType, selection: SelectionSetNode | undefined): Json => {
    if (isListType(type)) return { type: 'array', items: ofType(type.ofType, selection) };
    if (isObjectType(type) && selection) return { $ref: component(type.name, type.getFields(), selection) };
    if (isEnumType(type)) return { type: 'string' };
    return SCALARS[getNamedType(type).name] ?? {};
  };
  /** Files are no JSON; of an upsert what was made or changed is answered. */
  const ofAnswer = (route: CompiledRoute, type: GraphQLOutputType, selection: SelectionSetNode | undefined): Json => {
    if (route.status === 204 || !answersJson(route)) return {};
    if (route.answer !== 'upsert') return ofType(type, selection);
    const made = selection?.selections.find((node) => node.kind === Kind.FIELD && node.name.value !== 'created');
    const outer = getNamedType(type);
    const inner = made?.kind === Kind.FIELD && isObjectType(outer) ? outer.getFields()[made.name.value] : undefined;
    if (made?.kind !== Kind.FIELD || !inner) throw new Error(`${route.id} must select what it made or changed`);
    return ofType(inner.type, made.selectionSet);
  };
  const component = (
    name: string,
    fields: Record<string, GraphQLField<unknown, unknown>>,
    selection: SelectionSetNode,
  ): string => {
    const text = print(selection);
    if (shown.has(name) && shown.get(name) !== text)
      throw new Error(`${name} is shown in two ways; one type has one shape on the wire`);
    shown.set(name, text);
    const nodes = selection.selections.filter((node): node is FieldNode => node.kind === Kind.FIELD);
    const properties = nodes.map((node) => {
      const field = fields[node.name.value];
      const rule = field?.extensions.rule as Rule | undefined;
      const plain = field ? ofType(field.type, node.selectionSet) : {};
      const value = field && rule ? withRule(plain, rule, !isNonNullType(field.type)) : plain;
      const about = field?.description ? { description: String(field.description) } : {};
      return [node.alias?.value ?? node.name.value, { ...value, ...about }] as const;
    });
    components[name] = {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: properties.map(([key]) => key),
    };
    return `#/components/schemas/${name}`;
  };

  const responses = new Map(
    routes.map((route) => {
      const root = route.operation.operation === 'query' ? schema.getQueryType() : schema.getMutationType();
      const node = route.operation.selectionSet.selections[0] as FieldNode;
      const field = root?.getFields()[node.name.value];
      return [route.id, field ? ofAnswer(route, field.type, node.selectionSet) : {}];
    }),
  );
  return { responses, components };
}

/** A value that fits a schema of the document. */
export type Examples = (schema: Json) => unknown;

/** Makes examples of answers from their schemas and the table of values in examples.ts. */
export function makeExamples(components: Record<string, Json>): Examples {
  const inComponent = (owner: string, schema: Json): unknown => {
    if (schema.properties) return fieldsOf(owner, schema);
    return valueFor(owner, '', schema);
  };
  const fieldsOf = (owner: string, schema: Json): Json =>
    Object.fromEntries(
      Object.entries(schema.properties as Record<string, Json>)
        .filter(([name]) => (schema.required as string[] | undefined)?.includes(name))
        .map(([name, inner]) => [name, valueFor(owner, name, inner)]),
    );
  const valueFor = (owner: string, name: string, schema: Json): unknown => {
    const known = exampleValue(owner, name);
    if (known !== undefined && fits(known, schema)) return known;
    if (typeof schema.$ref === 'string') return ofRef(schema.$ref);
    const [choice] = (schema.oneOf ?? schema.anyOf ?? schema.allOf ?? []) as Json[];
    if (choice) return valueFor(owner, name, choice);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.examples)) return schema.examples[0];
    if (schema.default !== undefined) return schema.default;
    if (Array.isArray(schema.enum)) return schema.enum[0];
    return ofType(owner, name, schema);
  };
  const ofType = (owner: string, name: string, schema: Json): unknown => {
    const types = [schema.type ?? 'null'].flat();
    if (types.includes('null')) return null;
    if (types.includes('array')) return [valueFor(owner, `${name}[]`, (schema.items ?? {}) as Json)];
    if (types.includes('object')) return schema.properties ? fieldsOf(owner, schema) : {};
    if (types.includes('boolean')) return false;
    if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 0;
    return FORMAT_EXAMPLES[String(schema.format)] ?? 'text';
  };
  const ofRef = (pointer: string): unknown => {
    const name = pointer.slice(pointer.lastIndexOf('/') + 1);
    return inComponent(name, components[name] ?? {});
  };
  return (schema) => inComponent('', schema);
}

/** Whether a value of the table can stand here: names are shared by fields of different kinds. */
function fits(value: unknown, schema: Json): boolean {
  if (schema.$ref) return false;
  if (Array.isArray(schema.oneOf)) return value === null || typeof value === 'object';
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const types = [schema.type].flat();
  if (schema.type === undefined) return true;
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false;
  return types.includes(type) || (type === 'number' && types.includes('integer'));
}
