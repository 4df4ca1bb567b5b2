import { picker, type Random } from '../random.ts';

/** Draws from the distributions that the fleet is made with. */
export class Draws {
  constructor(readonly random: Random) {}

  chance(share: number): boolean {
    return this.random() < share;
  }

  /** A whole number of [from, to). */
  whole(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from));
  }

  between(from: number, to: number): number {
    return from + this.random() * (to - from);
  }

  pick<Entry>(entries: readonly Entry[]): Entry {
    return entries[this.whole(0, entries.length)] as Entry;
  }

  /** An entry of a list of entries with their weights. */
  weighed<Entry>(entries: readonly (readonly [Entry, number])[]): Entry {
    return picker(this.random, entries, ([, weight]) => weight)()[0];
  }

  /** The place of a weight, as often as it says. */
  placeOf(weights: readonly number[]): number {
    return this.weighed(weights.map((weight, place) => [place, weight]));
  }

  logUniform([from = 1, to = 1]: readonly number[]): number {
    return from * (to / from) ** this.random();
  }

  logNormal([median = 1, sigma = 1]: readonly number[]): number {
    return median * Math.exp(sigma * this.normal());
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.random());
  }

  /** Standard normal, after Box and Muller. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
  }
}
