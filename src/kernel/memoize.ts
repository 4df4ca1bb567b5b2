/** Makes a value when it is first asked for, and returns the same one from then on: also the same promise, even if it rejects. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What is made of a key, such as a setting, for as long as the key is the same; `discard` gets what another key replaces. */
export function whileSame<Key, Value>(
  keyOf: () => Key,
  make: (key: Key) => Value,
  discard: (old: Value) => unknown = () => {},
): () => Value {
  let last: { key: Key; value: Value } | null = null;
  return () => {
    const key = keyOf();
    if (last !== null && last.key === key) return last.value;
    if (last !== null) discard(last.value);
    last = { key, value: make(key) };
    return last.value;
  };
}
