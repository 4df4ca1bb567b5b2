import {
  type FieldNode,
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
import type { CompiledRoute } from './compileRoute.ts';

type Json = Record<string, unknown>;

const SCALARS: Record<string, Json> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  SafeInt: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTimeISO: { type: 'string', format: 'date-time' },
  JSONObject: { type: 'object' },
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
  const component = (
    name: string,
    fields: Record<string, { type: GraphQLOutputType; description?: unknown }>,
    selection: SelectionSetNode,
  ): string => {
    const text = print(selection);
    if (shown.has(name) && shown.get(name) !== text)
      throw new Error(`${name} is shown in two ways; one type has one shape on the wire`);
    shown.set(name, text);
    const nodes = selection.selections.filter((node): node is FieldNode => node.kind === Kind.FIELD);
    const properties = nodes.map((node) => {
      const field = fields[node.name.value];
      const value = field ? ofType(field.type, node.selectionSet) : {};
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
      return [route.id, field ? ofType(field.type, node.selectionSet) : {}];
    }),
  );
  return { responses, components };
}
