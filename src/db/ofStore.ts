import { beforeClose, database } from './connection/database.ts';

/**
 * What belongs to the open store, such as a cache of its rows or a place in a walk over them: made when it is first asked for,
 * and gone with the store, so that the next one never sees it. `close` runs while the store is still open.
 */
export function ofStore<Value>(make: () => Value, close?: (value: Value) => unknown): () => Value {
  const values = new WeakMap<object, { value: Value }>();
  return () => {
    const store = database();
    const known = values.get(store);
    if (known) return known.value;
    const value = make();
    values.set(store, { value });
    if (close) beforeClose(store, () => close(value));
    return value;
  };
}

/** What the composition root gives to the open store, before anything asks for it; gone with the store. */
export function givenToStore<Value>(giver: string): { give(value: Value): void; get(): Value } {
  const values = new WeakMap<object, { value: Value }>();
  return {
    give: (value) => void values.set(database(), { value }),
    get() {
      const given = values.get(database());
      if (!given) throw new Error(`${giver}() has not run`);
      return given.value;
    },
  };
}
