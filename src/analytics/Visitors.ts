/** Visitors of a day, each with the cell in which it was met first; made for some hundred thousand of them. */
export class Visitors {
  #places: Uint32Array;
  #mask: number;
  #size = 0;

  /** `expected`: how many there may be; it grows when there are more. */
  constructor(expected: number) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(16, expected * 1.5)));
    this.#places = new Uint32Array(capacity * WORDS);
    this.#mask = capacity - 1;
  }

  /** `high` and `low` are the halves of a visitor's 64 bits, which are random: they are spread as they are. */
  meet(high: number, low: number, cell: number): Met {
    const places = this.#places;
    const mark = cell + 1;
    let at = (low & this.#mask) * WORDS;
    for (let taken = places[at + 2] as number; taken !== 0; taken = places[at + 2] as number) {
      if (places[at] === low && places[at + 1] === high) return taken === mark ? SAME_CELL : OTHER_CELL;
      at = (at + WORDS) & (places.length - 1);
    }
    places[at] = low;
    places[at + 1] = high;
    places[at + 2] = mark;
    this.#size += 1;
    if (this.#size * 3 > (this.#mask + 1) * 2) this.#grow();
    return NEW;
  }

  #grow(): void {
    const larger = new Visitors(this.#mask + 1);
    for (let at = 0; at < this.#places.length; at += WORDS) {
      const mark = this.#places[at + 2] as number;
      if (mark !== 0) larger.meet(this.#places[at + 1] as number, this.#places[at] as number, mark - 1);
    }
    this.#places = larger.#places;
    this.#mask = larger.#mask;
  }
}

/** Nobody met the visitor before; or the same one with this cell; or one that was met first with another. */
export const NEW = 0;
const SAME_CELL = 1;
export const OTHER_CELL = 2;
type Met = typeof NEW | typeof SAME_CELL | typeof OTHER_CELL;

/** Words of a place: low half, high half, cell + 1 (0: free), nothing. Side by side, so that a look costs one cache line. */
const WORDS = 4;
