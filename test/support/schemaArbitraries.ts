import fc from 'fast-check';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

type Arbitrary = fc.Arbitrary<unknown>;
export type JsonSchema = { [key: string]: unknown };

const moments = fc
  .date({ min: new Date('2001-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const texts = fc.oneof(fc.string(), fc.constantFrom('', ' ', ' padded ', 'a\nb', 'ä=ö', 'null', '0'));

const SCALARS: Record<string, Arbitrary> = {
  ID: fc.string({ minLength: 1 }),
  String: texts,
  Int: fc.integer(),
  SafeInt: fc.maxSafeInteger(),
  Float: fc.double({ noNaN: true, noDefaultInfinity: true }),
  Boolean: fc.boolean(),
  DateTimeISO: moments,
  JSONObject: fc.dictionary(texts, fc.jsonValue()),
  JSON: fc.jsonValue(),
};

/** What the API may answer to a query, or to a fragment: everything that the schema allows. `known`: fields of free form. */
export function answersTo(
  schema: GraphQLSchema,
  document: DocumentNode,
  known: Record<string, Arbitrary> = {},
): fc.Arbitrary<Record<string, unknown>> {
  const ofType = (type: GraphQLOutputType, name: string, selections?: SelectionSetNode): Arbitrary => {
    if (isNonNullType(type)) return ofNonNull(type.ofType, name, selections);
    return fc.option(ofNonNull(type, name, selections));
  };
  const ofNonNull = (type: GraphQLOutputType, name: string, selections?: SelectionSetNode): Arbitrary => {
    if (known[name]) return known[name];
    if (isListType(type)) return fc.array(ofType(type.ofType, name, selections), { maxLength: 4 });
    if (isEnumType(type)) return fc.constantFrom(...type.getValues().map((one) => one.name));
    if (isObjectType(type) && selections) return ofSelections(type, selections);
    return SCALARS[(type as { name: string }).name] ?? fc.constant(null);
  };
  const ofSelections = (type: GraphQLObjectType, { selections }: SelectionSetNode) => {
    const fields = selections.flatMap((one) => (one.kind === Kind.FIELD ? [one] : []));
    return fc.record(
      Object.fromEntries(
        fields.map(({ name, alias, selectionSet }) => {
          const field = type.getFields()[name.value];
          if (!field) throw new Error(`${type.name} has no field ${name.value}`);
          const shown = alias?.value ?? name.value;
          return [shown, ofType(field.type, shown, selectionSet)];
        }),
      ),
    );
  };
  const definition = document.definitions[0] as OperationDefinitionNode | FragmentDefinitionNode;
  if (definition.kind === Kind.FRAGMENT_DEFINITION)
    return ofSelections(
      schema.getType(definition.typeCondition.name.value) as GraphQLObjectType,
      definition.selectionSet,
    );
  const answer = ofSelections(schema.getQueryType() as GraphQLObjectType, definition.selectionSet);
  // A query of one record.
  return answer.filter((data) => Object.values(data)[0] !== null).map((data) => Object.values(data)[0] as never);
}

/**
 * Values that a JSON Schema allows. With `later`, each object may have keys, and each list of names members, that only a later
 * version of the product knows.
 */
export function valuesOf(schema: JsonSchema, isLater = false): Arbitrary {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.oneOf) return fc.oneof(...(schema.oneOf as JsonSchema[]).map((one) => valuesOf(one, isLater)));
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]), ...(isLater ? ['later'] : []));
  const types = [schema.type].flat() as string[];
  return fc.oneof(...types.map((type) => ofJsonType(type, schema, isLater)));
}

function ofJsonType(type: string, schema: JsonSchema, isLater: boolean): Arbitrary {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum as number, max: schema.maximum as number });
    case 'string':
      return schema.format === 'date-time' ? writtenMoments : texts.filter((one) => one.length > 0);
    case 'array': {
      const items = valuesOf(schema.items as JsonSchema, isLater);
      const bounds = { minLength: (schema.minItems as number | undefined) ?? 0, maxLength: 3 };
      return schema.uniqueItems ? fc.uniqueArray(items, bounds) : fc.array(items, bounds);
    }
    default:
      return objectsOf(schema, isLater);
  }
}

/** As people write them into requests, which keep their zone. */
const writtenMoments = fc.oneof(moments, fc.constantFrom('2026-10-25T02:30:00+01:00', '2026-03-29T02:30:00.5Z'));

function objectsOf({ properties, required }: JsonSchema, isLater: boolean): Arbitrary {
  const known = Object.entries(properties as Record<string, JsonSchema>);
  const objects = fc.record(Object.fromEntries(known.map(([name, schema]) => [name, valuesOf(schema, isLater)])), {
    requiredKeys: (required as never[] | undefined) ?? [],
  });
  if (!isLater) return objects;
  const later = fc.dictionary(fc.constantFrom('later_a', 'later_b'), fc.jsonValue(), { maxKeys: 1 });
  return fc.tuple(objects, later).map(([object, more]) => ({ ...(object as object), ...more }));
}
