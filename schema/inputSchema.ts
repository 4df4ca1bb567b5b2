import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { snakeCase } from '../src/kernel/snakeCase.ts';
import type { Rule } from './rules.ts';

/** `wire`: as REST says it (snake_case, times as text). `graph`: as resolvers get it (camelCase, times parsed). */
export type Naming = 'wire' | 'graph';
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

/** An object schema of several inputs; unknown properties are refused, `implied` ones are not on the wire. */
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

/** A value of an answer with what its field says of it beyond its type. */
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
