import { LRUCache } from 'lru-cache';
import type { Span } from './spans.ts';
import { type BurstLimits, Trail } from './Trail.ts';

/** What is looked at of a click that may be a person's. */
export interface Followed {
  teamId: string;
  addressHash: string;
  linkId: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  /** Whether it still counts as a person's in the store. */
  isHuman: boolean;
}

/** Steps of all addresses in memory: some 20 MB. The address that was quiet for longest is forgotten first. */
const MOST_STEPS = 40_000;

/**
 * Finds addresses that follow too many links of a team at once. Pure: time is what the clicks say, in whatever order
 * they come, as long as none is late by more than KEPT_WINDOWS.
 */
export class BurstDetector {
  readonly #trails = new LRUCache<string, Trail>({ max: MOST_STEPS });
  #steps = 0;

  constructor(
    private readonly limits: BurstLimits,
    private readonly mostSteps = MOST_STEPS,
  ) {}

  /** Takes note of a click and gives the time in which clicks of its address are a scanner's and count as a person's. */
  see({ teamId, addressHash, linkId, occurredAt, isHuman }: Followed): Span[] {
    const key = keyOf(teamId, addressHash);
    let trail = this.#trails.get(key);
    if (trail === undefined) {
      trail = new Trail(this.limits);
      this.#trails.set(key, trail);
    }
    const before = trail.size;
    const spans = trail.add({ linkId, atMs: occurredAt, isHuman });
    this.#steps += trail.size - before;
    while (this.#steps > this.mostSteps && this.#trails.size > 1) this.#steps -= this.#trails.pop()?.size ?? 0;
    return spans;
  }

  /** The burst that a click of this address at this time belongs to, as far as is known. */
  burstOf({
    teamId,
    addressHash,
    occurredAt,
  }: Pick<Followed, 'teamId' | 'addressHash' | 'occurredAt'>): Span | undefined {
    return this.#trails.get(keyOf(teamId, addressHash))?.burstAt(occurredAt);
  }

  /** Whether the address has lately followed at least so many links of the team within a window. */
  isSpread({ teamId, addressHash }: Pick<Followed, 'teamId' | 'addressHash'>, links: number): boolean {
    return this.#trails.get(keyOf(teamId, addressHash))?.isSpread(links) ?? false;
  }

  /** Steps in memory. */
  get size(): number {
    return this.#steps;
  }
}

function keyOf(teamId: string, addressHash: string): string {
  return `${teamId} ${addressHash}`;
}
