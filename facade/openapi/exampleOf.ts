import { exampleValue } from '../examples.ts';
import type { Json } from './Json.ts';

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
    return 'text';
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
