type CamelCase<Name> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<CamelCase<Rest>>}` : Name;

/** An answer in the spelling of the language; what stands in `data` is the customer's own. */
export type CamelCased<Value> = Value extends readonly (infer Item)[]
  ? CamelCased<Item>[]
  : Value extends object
    ? { [Key in keyof Value as CamelCase<Key>]: Key extends 'data' ? Value[Key] : CamelCased<Value[Key]> }
    : Value;

export function camelCased<Value>(value: Value): CamelCased<Value> {
  if (!value || typeof value !== 'object') return value as CamelCased<Value>;
  if (Array.isArray(value)) return value.map(camelCased) as CamelCased<Value>;
  const renamed: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    renamed[name] = key === 'data' ? inner : camelCased(inner);
  }
  return renamed as CamelCased<Value>;
}
