import { LRUCache } from 'lru-cache';
import { type BurstLimits, type Span, Trail } from './Trail.ts';

/** A click that was a person's when it was recorded. */
export interface ObservedClick {
  teamId: string;
  addressHash: string;
  linkId: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  /** Whether the store still counts it as a person's. */
  isHuman: boolean;
}

/** Most steps of all addresses in memory, about 20 MB. The address that was quiet for longest is forgotten first. */
const MOST_STEPS = 40_000;

/**
 * Finds addresses that follow too many links of a team at once. It uses no clock but the times of the clicks, which may come in
 * any order as long as none is late by more than KEPT_WINDOWS.
 */
export class BurstDetector {
  readonly #trails = new LRUCache<string, Trail>({ max: MOST_STEPS });
  #steps = 0;

  constructor(
    private readonly limits: BurstLimits,
    private readonly mostSteps = MOST_STEPS,
  ) {}

  /** Adds a click, and returns the time spans in which clicks of its address count as a person's but are a scanner's. */
  observe({ teamId, addressHash, linkId, occurredAt, isHuman }: ObservedClick): Span[] {
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

  /** The burst that a click of this address at this time belongs to, as far as it is known. */
  burstOf({
    teamId,
    addressHash,
    occurredAt,
  }: Pick<ObservedClick, 'teamId' | 'addressHash' | 'occurredAt'>): Span | undefined {
    return this.#trails.get(keyOf(teamId, addressHash))?.burstAt(occurredAt);
  }

  /** Whether the address recently followed at least `links` links of the team within a window. */
  isSpread({ teamId, addressHash }: Pick<ObservedClick, 'teamId' | 'addressHash'>, links: number): boolean {
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
