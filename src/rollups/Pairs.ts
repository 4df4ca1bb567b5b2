/** Visitors as keys have met them: a set of (visitor, number), made for some millions of entries. */
export class Pairs {
  #high: Uint32Array;
  #low: Uint32Array;
  /** The number of an entry, raised by one; 0: free. */
  #numbers: Uint32Array;
  /** What was put with an entry. */
  #values: Uint8Array;
  #mask: number;
  #size = 0;

  /** `expected`: how many there may be; it grows when there are more. */
  constructor(expected: number) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(16, expected * 1.5)));
    this.#high = new Uint32Array(capacity);
    this.#low = new Uint32Array(capacity);
    this.#numbers = new Uint32Array(capacity);
    this.#values = new Uint8Array(capacity);
    this.#mask = capacity - 1;
  }

  /** Whether it was not there before. `high` and `low` are the halves of a visitor's 64 bits. */
  add(high: number, low: number, number: number): boolean {
    return this.put(high, low, number, 1) === 0;
  }

  /** The same with a value of 1 to 255; gives the one that was there before, 0 for none. */
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
    const larger = new Pairs(this.#numbers.length);
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
