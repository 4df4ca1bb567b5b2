import { clock } from '../../kernel/clock.ts';
import type { BurstDetector, ObservedClick } from './BurstDetector.ts';
import type { Span } from './Trail.ts';

/** Share of a burst's links that one process must see before the store is asked for the others. */
const SHARE = 0.25;
/** Time in which the other processes drain their journals. */
const GRACE_MS = 2000;
/** Addresses in one query, and addresses that may wait. */
const ADDRESSES_PER_CHECK = 200;
const MOST_PENDING = 5000;

/** Addresses of a team, in one span of time. */
export interface TeamCheck {
  teamId: string;
  addressHashes: string[];
  span: Span;
}

interface PendingCheck {
  teamId: string;
  addressHash: string;
  dueMs: number;
  span: Span;
}

/**
 * Addresses to look up in the store: a load balancer may spread the requests of one address over several processes, none of
 * which sees a burst. An address that makes a good part of one here is looked up once the window is over, together with others
 * of its team.
 */
export class PendingChecks {
  readonly #waiting = new Map<string, PendingCheck>();
  readonly #fewest: number;

  constructor(
    links: number,
    private readonly windowMs: number,
  ) {
    this.#fewest = Math.ceil((links + 1) * SHARE);
  }

  /** Takes a click that `detector` has observed already. */
  observe({ teamId, addressHash, occurredAt }: Omit<ObservedClick, 'isHuman'>, detector: BurstDetector): void {
    const key = keyOf({ teamId, addressHash });
    const waiting = this.#waiting.get(key);
    if (waiting) {
      waiting.span.fromMs = Math.min(waiting.span.fromMs, occurredAt - this.windowMs);
      waiting.span.toMs = Math.max(waiting.span.toMs, occurredAt + this.windowMs);
    } else if (this.#waiting.size < MOST_PENDING && detector.isSpread({ teamId, addressHash }, this.#fewest)) {
      const span = { fromMs: occurredAt - this.windowMs, toMs: occurredAt + this.windowMs };
      this.#waiting.set(key, { teamId, addressHash, dueMs: clock.now() + this.windowMs + GRACE_MS, span });
    }
  }

  /** Runs the checks that are due, several addresses of a team together. When `run` throws, its checks stay pending. */
  async runDue(nowMs: number, run: (check: TeamCheck) => Promise<void>): Promise<void> {
    const teams = new Map<string, PendingCheck[]>();
    for (const check of this.#waiting.values()) {
      if (check.dueMs <= nowMs) teams.set(check.teamId, [...(teams.get(check.teamId) ?? []), check]);
    }
    for (const checks of teams.values()) {
      for (let at = 0; at < checks.length; at += ADDRESSES_PER_CHECK)
        await this.#run(checks.slice(at, at + ADDRESSES_PER_CHECK), run);
    }
  }

  async #run(checks: PendingCheck[], run: (check: TeamCheck) => Promise<void>): Promise<void> {
    for (const check of checks) this.#waiting.delete(keyOf(check));
    try {
      await run(combined(checks));
    } catch (error) {
      for (const check of checks) this.#waiting.set(keyOf(check), check);
      throw error;
    }
  }
}

function combined(checks: PendingCheck[]): TeamCheck {
  return {
    teamId: (checks[0] as PendingCheck).teamId,
    addressHashes: checks.map(({ addressHash }) => addressHash),
    span: {
      fromMs: Math.min(...checks.map(({ span }) => span.fromMs)),
      toMs: Math.max(...checks.map(({ span }) => span.toMs)),
    },
  };
}

function keyOf({ teamId, addressHash }: Pick<PendingCheck, 'teamId' | 'addressHash'>): string {
  return `${teamId} ${addressHash}`;
}
