import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_MS } from '../kernel/clock.ts';
import { yieldToEventLoop } from '../kernel/yield.ts';

/** A follow counts half after this time. */
const HALF_LIFE_MS = DAY_MS;
/** Counts below are not worth passing on: a single follow of more than three days ago. */
const LEAST = 0.1;
/** Links between two looks at the time. */
const SLICE = 1000;

interface Count {
  follows: number;
}

/** Ids of links and how often they were followed; a follow of a day ago counts half. */
export type Follows = ReadonlyMap<string, number>;

/** What a number of follows counts after that time. A clock that was turned back takes nothing from it. */
export function faded(follows: number, ageMs: number): number {
  return follows * 0.5 ** (Math.max(0, ageMs) / HALF_LIFE_MS);
}

/**
 * How often people followed links through this process, and through others as far as it was told. Of `max` links or some more,
 * those that were followed last. Counting is for the path of redirects: it costs a look into a map, and nothing is ever cleared up
 * then. Ranking 100,000 links keeps the event loop for 20 to 60 ms at a time, on a busy machine.
 */
export class FollowCounts {
  readonly #max: number;
  /** Links that were followed since there was no room for another one, which are at most `max`. */
  #recent = new Map<string, Count>();
  /** Those before, which were not followed since. */
  #former = new Map<string, Count>();
  #elsewhere: Follows = new Map();
  /** Of the monotonic clock, in milliseconds. */
  #fadedAt = performance.now();

  constructor(max: number) {
    this.#max = Math.min(max, MOST_RANKED / 4);
  }

  /** Counts a person who follows the link. */
  count(linkId: string): void {
    const count = this.#recent.get(linkId);
    if (count) count.follows += 1;
    else this.add(linkId, 1);
  }

  /** Takes over what an earlier process has counted. */
  add(linkId: string, follows: number): void {
    const count = this.#find(linkId) ?? { follows: 0 };
    count.follows += follows;
    if (this.#recent.has(linkId)) return;
    this.#former.delete(linkId);
    if (this.#recent.size >= this.#max) {
      this.#former = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(linkId, count);
  }

  /** Replaces what other processes have counted. */
  setElsewhere(follows: Follows): void {
    this.#elsewhere = follows;
  }

  /** Whether nobody has followed a link through this process or, if it was told, an earlier one. */
  get isEmpty(): boolean {
    return this.#recent.size === 0;
  }

  /** What this process has counted of a link. */
  of(linkId: string): number {
    return this.#find(linkId)?.follows ?? 0;
  }

  /** The ids of all counted links, most followed first, through whichever process. */
  async ranked(): Promise<string[]> {
    const { ids, follows } = this.#own();
    const breathe = yieldToEventLoop();
    for (const [at, id] of ids.entries()) {
      follows[at] = (follows[at] as number) + (this.#elsewhere.get(id) ?? 0);
      if (at % SLICE === 0) await breathe();
    }
    for (const [id, others] of this.#elsewhere) {
      if (this.#find(id)) continue;
      ids.push(id);
      follows.push(others);
      if (ids.length % SLICE === 0) await breathe();
    }
    await nextTurn();
    return mostFirst(follows).map((at) => ids[at] as string);
  }

  /** The links that were followed most through this process alone, most first. */
  async top(count: number): Promise<[linkId: string, follows: number][]> {
    const { ids, follows } = this.#own();
    await nextTurn();
    return mostFirst(follows)
      .slice(0, count)
      .map((at): [string, number] => [ids[at] as string, Math.round((follows[at] as number) * 100) / 100])
      .filter(([, number]) => number >= LEAST);
  }

  #find(linkId: string): Count | undefined {
    return this.#recent.get(linkId) ?? this.#former.get(linkId);
  }

  #own(): { ids: string[]; follows: number[] } {
    const now = performance.now();
    const [ids, follows]: [string[], number[]] = [[], []];
    for (const links of [this.#former, this.#recent]) {
      for (const [id, count] of links) {
        count.follows = faded(count.follows, now - this.#fadedAt);
        ids.push(id);
        follows.push(count.follows);
      }
    }
    this.#fadedAt = now;
    return { ids, follows };
  }
}

/** How many links can be ranked at once; a number holds 53 bits, of which 32 are left for the count. */
const MOST_RANKED = 2 ** 21;
const STEPS_PER_FOLLOW = 16;
const LARGEST = 2 ** 32 - 1;

/** The places of a list of counts, those of the largest ones first. Numbers that hold both are sorted without a function. */
function mostFirst(follows: readonly number[]): number[] {
  const keys = Float64Array.from(follows.slice(0, MOST_RANKED), (number, at) => {
    const steps = Math.min(Math.round(number * STEPS_PER_FOLLOW), LARGEST);
    return steps * MOST_RANKED + at;
  });
  return Array.from(keys.sort().reverse(), (key) => key % MOST_RANKED);
}
