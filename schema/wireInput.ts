import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { snakeCase } from '../src/kernel/snakeCase.ts';

/** snake_case as the wire spells it to the camelCase of the input type; free-form values stay as they are. */
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

/** What the wire sent without the fields that the input type does not have, in itself and in what it holds. */
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

interface WireField {
  wire: string;
  field: GraphQLInputField;
}

const known = new WeakMap<GraphQLInputObjectType, WireField[]>();

/** Found once for a type: imports ask for each of their rows. */
function wireFields(type: GraphQLInputObjectType): WireField[] {
  const fields =
    known.get(type) ?? Object.values(type.getFields()).map((field) => ({ wire: snakeCase(field.name), field }));
  known.set(type, fields);
  return fields;
}
