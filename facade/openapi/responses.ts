import {
  type FieldNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  print,
  type SelectionSetNode,
} from 'graphql';
import { TIME_SCHEMA, withRule } from '../../schema/inputSchema.ts';
import type { Rule } from '../../schema/rules.ts';
import type { CompiledRoute } from '../compileRoute.ts';
import type { Json } from './Json.ts';

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
    return SCALARS[getNamedType(type).name] ?? {};
  };
  /** Files are no JSON; of an upsert what was made or changed is answered. */
  const ofAnswer = (route: CompiledRoute, type: GraphQLOutputType, selection: SelectionSetNode | undefined): Json => {
    if (route.status === 204 || route.answer === 'file' || route.answer === 'csv') return {};
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
