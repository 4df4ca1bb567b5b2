/** A set of pairs (visitor, number of a key), for some millions of entries. */
export class VisitorKeySet {
  #high: Uint32Array;
  #low: Uint32Array;
  /** The number of an entry plus one; 0: free. */
  #numbers: Uint32Array;
  /** The value of an entry. */
  #values: Uint8Array;
  #mask: number;
  #size = 0;

  /** `expected`: about how many entries there will be; with more it grows. */
  constructor(expected: number) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(16, expected * 1.5)));
    this.#high = new Uint32Array(capacity);
    this.#low = new Uint32Array(capacity);
    this.#numbers = new Uint32Array(capacity);
    this.#values = new Uint8Array(capacity);
    this.#mask = capacity - 1;
  }

  /** Adds a pair and returns whether it is new. `high` and `low` are the halves of a visitor's 64 bits. */
  add(high: number, low: number, number: number): boolean {
    return this.put(high, low, number, 1) === 0;
  }

  /** Sets the value of a pair, from 1 to 255, and returns the previous one; 0 for none. */
  put(high: number, low: number, number: number, value: number): number {
    const mark = number + 1;
    let at = (Math.imul(low ^ Math.imul(mark, 0x9e3779b1), 0x85ebca6b) >>> 7) & this.#mask;
    for (let taken = this.#numbers[at] as number; taken !== 0; taken = this.#numbers[at] as number) {
      if (taken === mark && this.#low[at] === low && this.#high[at] === high) {
        const before = this.#values[at] as number;
        this.#values[at] = value;
        return before;
      }
      at = (at + 1) & this.#mask;
    }
    this.#high[at] = high;
    this.#low[at] = low;
    this.#numbers[at] = mark;
    this.#values[at] = value;
    this.#size += 1;
    if (this.#size * 3 > this.#numbers.length * 2) this.#grow();
    return 0;
  }

  #grow(): void {
    const larger = new VisitorKeySet(this.#numbers.length);
    for (let at = 0; at < this.#numbers.length; at += 1) {
      const mark = this.#numbers[at] as number;
      if (mark === 0) continue;
      larger.put(this.#high[at] as number, this.#low[at] as number, mark - 1, this.#values[at] as number);
    }
    this.#high = larger.#high;
    this.#low = larger.#low;
    this.#numbers = larger.#numbers;
    this.#values = larger.#values;
    this.#mask = larger.#mask;
  }
}

/** Numbers for the visitors of a day, from 0 in the order of arrival, for some hundred thousand visitors. */
export class VisitorNumbers {
  #places: Uint32Array;
  #mask: number;
  #size = 0;

  /** `expected`: about how many visitors there will be; with more it grows. */
  constructor(expected: number) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(16, expected * 1.5)));
    this.#places = new Uint32Array(capacity * WORDS);
    this.#mask = capacity - 1;
  }

  get size(): number {
    return this.#size;
  }

  /** The number of a visitor, who is added if new. `high` and `low` are random, so `low` is its own hash. */
  numberOf(high: number, low: number): number {
    const places = this.#places;
    let at = (low & this.#mask) * WORDS;
    for (let taken = places[at + 2] as number; taken !== 0; taken = places[at + 2] as number) {
      if (places[at] === low && places[at + 1] === high) return taken - 1;
      at = (at + WORDS) & (places.length - 1);
    }
    const number = this.#size;
    places[at] = low;
    places[at + 1] = high;
    places[at + 2] = number + 1;
    this.#size += 1;
    if (this.#size * 3 > (this.#mask + 1) * 2) this.#grow();
    return number;
  }

  #grow(): void {
    const before = this.#places;
    this.#mask = this.#mask * 2 + 1;
    const places = new Uint32Array((this.#mask + 1) * WORDS);
    for (let from = 0; from < before.length; from += WORDS) {
      if (before[from + 2] === 0) continue;
      let at = ((before[from] as number) & this.#mask) * WORDS;
      while (places[at + 2] !== 0) at = (at + WORDS) & (places.length - 1);
      places.set(before.subarray(from, from + WORDS), at);
    }
    this.#places = places;
  }
}

/** Words of a slot: low half, high half, number + 1 (0: free), unused. A lookup then touches one cache line. */
const WORDS = 4;
