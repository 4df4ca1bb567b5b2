import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { snakeCase } from '../src/kernel/wire.ts';
import type { Rule } from './rules.ts';

/** `wire`: as in REST (snake_case, times as strings). `graph`: as resolvers receive it (camelCase, parsed times). */
type Naming = 'wire' | 'graph';
export type JsonSchema = Record<string, unknown>;

/** A time on the wire, in both directions. */
export const TIME_SCHEMA: JsonSchema = { 'x-name': 'Time', type: 'string', format: 'date-time', maxLength: 40 };

const SCALARS: Record<string, JsonSchema> = {
  String: { type: 'string' },
  ID: { type: 'string', maxLength: 255 },
  Int: { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  SafeInt: { type: 'integer' },
  DateTimeISO: TIME_SCHEMA,
  JSONObject: { type: 'object' },
  JSON: {},
};

/** The JSON Schema of an argument or input field: its type, and its rule on top. */
export function schemaOfInput(input: GraphQLArgument | GraphQLInputField, naming: Naming): JsonSchema {
  const rule = ruleOf(input);
  const schema = schemaOfType(input.type, naming, rule);
  return input.description ? { ...schema, description: input.description } : schema;
}

/** The object schema of several inputs. Unknown properties are refused; `implied` ones are not part of REST. */
export function schemaOfInputs(inputs: readonly (GraphQLArgument | GraphQLInputField)[], naming: Naming): JsonSchema {
  const shown = inputs.filter((input) => naming === 'graph' || !ruleOf(input).implied);
  const name = (input: { name: string }) => (naming === 'wire' ? snakeCase(input.name) : input.name);
  const required = shown.filter((input) => isNonNullType(input.type) && input.defaultValue === undefined).map(name);
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map((input) => [name(input), schemaOfInput(input, naming)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

export function ruleOf(input: GraphQLArgument | GraphQLInputField): Rule {
  return (input.extensions.rule as Rule | undefined) ?? {};
}

/** The schema of a response value, with the rule of its field. */
export function withRule(schema: JsonSchema, rule: Rule, isNullable: boolean): JsonSchema {
  if (rule.schema) return isNullable ? orNull(rule.schema) : rule.schema;
  const items = rule.items ? { items: { ...(schema.items as JsonSchema), ...rule.items } } : {};
  const choices = rule.enum && isNullable ? { enum: [...rule.enum, null] } : {};
  return { ...schema, ...rule, ...items, ...choices };
}

function schemaOfType(type: GraphQLInputType, naming: Naming, rule: Rule): JsonSchema {
  const { schema, notNull, implied: _, items, ...constraints } = rule;
  if (isNonNullType(type)) return { ...bare(type.ofType, naming, schema, items), ...constraints };
  return notNull
    ? { ...bare(type, naming, schema, items), ...constraints }
    : orNull({ ...bare(type, naming, schema, items), ...constraints });
}

function bare(
  type: GraphQLInputType,
  naming: Naming,
  schema: JsonSchema | undefined,
  items: Rule | undefined,
): JsonSchema {
  if (schema) return schema;
  if (isNonNullType(type)) return bare(type.ofType, naming, schema, items);
  if (isListType(type)) return { type: 'array', items: schemaOfType(type.ofType, naming, items ?? {}) };
  if (isInputObjectType(type)) return schemaOfInputs(Object.values(type.getFields()), naming);
  if (isEnumType(type)) return { type: 'string' };
  const { name } = getNamedType(type);
  if (naming === 'graph' && name === 'DateTimeISO') return {};
  const scalar = SCALARS[name];
  if (!scalar) throw new Error(`No JSON Schema is known for the GraphQL type ${name}`);
  return scalar;
}

function orNull(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return schema;
  const choices = schema.enum as unknown[] | undefined;
  return { ...schema, type: [schema.type, 'null'].flat(), ...(choices ? { enum: [...choices, null] } : {}) };
}

/** Converts the snake_case of REST to the camelCase of the input type. Free-form values stay as they are. */
export function toGraph(value: unknown, type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return toGraph(value, type.ofType);
  if (isListType(type) && Array.isArray(value)) return value.map((entry) => toGraph(entry, type.ofType));
  if (!isInputObjectType(type) || value === null || typeof value !== 'object') return value;
  const given = value as Record<string, unknown>;
  const input: Record<string, unknown> = {};
  for (const { wire, field } of wireFields(type)) {
    if (Object.hasOwn(given, wire)) input[field.name] = toGraph(given[wire], field.type);
  }
  return input;
}

/** A REST value without the fields that the input type does not have, at every level. */
export function knownFields(value: unknown, type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return knownFields(value, type.ofType);
  if (isListType(type) && Array.isArray(value)) return value.map((entry) => knownFields(entry, type.ofType));
  if (!isInputObjectType(type) || value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const given = value as Record<string, unknown>;
  const kept: Record<string, unknown> = {};
  for (const { wire, field } of wireFields(type)) {
    if (Object.hasOwn(given, wire)) kept[wire] = knownFields(given[wire], field.type);
  }
  return kept;
}

/** The path of a field of REST as the input type spells it. What is inside free-form values stays as it is. */
export function graphPath(path: string, type: GraphQLInputType): string {
  const [first, ...rest] = path.split('.');
  const object = getNamedType(type);
  const found = isInputObjectType(object) ? wireFields(object).find(({ wire }) => wire === first) : undefined;
  if (!found) return path;
  return [found.field.name, ...(rest.length > 0 ? [graphPath(rest.join('.'), found.field.type)] : [])].join('.');
}

interface WireField {
  wire: string;
  field: GraphQLInputField;
}

const known = new WeakMap<GraphQLInputObjectType, WireField[]>();

/** Cached by type, because imports need it for each row. */
function wireFields(type: GraphQLInputObjectType): WireField[] {
  const fields =
    known.get(type) ?? Object.values(type.getFields()).map((field) => ({ wire: snakeCase(field.name), field }));
  known.set(type, fields);
  return fields;
}
