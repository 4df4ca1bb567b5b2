import { type Key, keysOf, knownNumbers } from './columns/keyStore.ts';

/** From here on numbers stand for keys that no block has, within one query. */
const FIRST_OWN = 0x8000_0000;

/** Numbers for the keys of a project: those that blocks use, and own ones for keys that are in no block yet. */
export class KeyDictionary {
  readonly #numbers = new Map<string, Map<string, number>>();
  readonly #own = new Map<number, string>();

  constructor(readonly projectId: string) {}

  /** Loads or assigns the numbers of these keys, for `numberOf`. */
  async learn(keys: readonly Key[]): Promise<void> {
    const unknown = keys.filter(([dimension, key]) => !this.#numbers.get(dimension)?.has(key));
    if (unknown.length === 0) return;
    const known = await knownNumbers(this.projectId, unknown);
    for (const [dimension, key] of unknown) {
      const numbers = this.#numbers.get(dimension) ?? new Map<string, number>();
      this.#numbers.set(dimension, numbers);
      if (numbers.has(key)) continue;
      const number = known.get(dimension)?.get(key) ?? FIRST_OWN + this.#own.size;
      if (number >= FIRST_OWN) this.#own.set(number, key);
      numbers.set(key, number);
    }
  }

  /** The learned lists of tags with their numbers. */
  learnedLists(): [number, string[]][] {
    return [...(this.#numbers.get('tag') ?? [])].map(([list, number]) => [number, JSON.parse(list)]);
  }

  /** 0 for the unknown key, and for keys that were not learned. */
  numberOf(dimension: string, key: string): number {
    return this.#numbers.get(dimension)?.get(key) ?? 0;
  }

  /** The keys of numbers other than 0. */
  async keysOf(dimension: string, numbers: number[]): Promise<Map<number, string>> {
    const keys = await keysOf(
      this.projectId,
      dimension,
      numbers.filter((number) => number < FIRST_OWN && number !== 0),
    );
    for (const number of numbers) {
      const own = this.#own.get(number);
      if (own !== undefined) keys.set(number, own);
    }
    return keys;
  }
}
