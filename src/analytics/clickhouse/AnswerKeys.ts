/** Numbers for the keys of one answer: 0 for the unknown key, the others in the order in which they come. */
export class AnswerKeys {
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #keys: string[] = [''];

  numberOf(key: string): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#keys.length);
    return this.#keys.push(key) - 1;
  }

  /** The keys of numbers other than 0. All keys of an answer are of the same dimension. */
  async keysOf(_dimension: string, numbers: readonly number[]): Promise<Map<number, string>> {
    return new Map(numbers.flatMap((number) => (number === 0 ? [] : [[number, this.#keys[number] as string]])));
  }
}
