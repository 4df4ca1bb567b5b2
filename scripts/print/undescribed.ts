import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';

/** Where the schema has no description: names of types, `Type.field`, `Type.field(argument:)` and `Enum.value`. */
export function undescribed(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type))
    .flatMap((type) => [...bare(type, type.name), ...partsOf(type)]);
}

function partsOf(type: GraphQLNamedType): string[] {
  if (isEnumType(type)) return type.getValues().flatMap((value) => bare(value, `${type.name}.${value.name}`));
  if (isInputObjectType(type) || isObjectType(type) || isInterfaceType(type))
    return Object.values(type.getFields()).flatMap((field) => bareField(field, `${type.name}.${field.name}`));
  return [];
}

function bareField(field: GraphQLField<unknown, unknown> | GraphQLInputField, name: string): string[] {
  const args: readonly GraphQLArgument[] = 'args' in field ? field.args : [];
  return [...bare(field, name), ...args.flatMap((argument) => bare(argument, `${name}(${argument.name}:)`))];
}

function bare({ description }: { description?: string | null | undefined }, name: string): string[] {
  return description?.trim() ? [] : [name];
}
