import { type GraphQLInputType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { wireName } from './rules.ts';

/** snake_case as the wire spells it to the camelCase of the input type; free-form values stay as they are. */
export function toGraph(value: unknown, type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return toGraph(value, type.ofType);
  if (isListType(type) && Array.isArray(value)) return value.map((entry) => toGraph(entry, type.ofType));
  if (!isInputObjectType(type) || value === null || typeof value !== 'object') return value;
  const given = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.values(type.getFields()).flatMap((field) => {
      const name = wireName(field.name);
      return Object.hasOwn(given, name) ? [[field.name, toGraph(given[name], field.type)]] : [];
    }),
  );
}
