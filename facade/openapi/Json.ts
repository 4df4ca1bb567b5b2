/** A part of the document. */
export type Json = Record<string, unknown>;

type Kind = 'schemas' | 'responses' | 'headers' | 'parameters' | 'examples';

/** A reference to a component. */
export function ref(kind: Kind, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The schema, or null. */
export function orNull(schema: Json): Json {
  if (schema.$ref) return { oneOf: [schema, { type: 'null' }] };
  return schema.type ? { ...schema, type: [schema.type, 'null'].flat() } : schema;
}

/** An object that has all of these fields. */
export function object(properties: Record<string, Json>): Json {
  return { type: 'object', properties, required: Object.keys(properties) };
}
