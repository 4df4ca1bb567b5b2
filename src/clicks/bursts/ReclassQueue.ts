import { withJsonRows } from '../../db/jsonRows.ts';
import { inTransaction } from '../../db/transactions.ts';
import { log } from '../../kernel/log.ts';
import { type TrafficReason, trafficClass } from '../../routing/trafficReason.ts';
import { addToBacklog } from '../backlogStore.ts';
import { subtractFromLinks } from '../linkCountStore.ts';
import { forgetMatchClicks } from '../matchClickStore.ts';
import { readHumanClicks, type TeamAddress } from './readObservedClicks.ts';
import { addSpan, type Span } from './Trail.ts';

/** Clicks of one transaction. On SQLite all other writes wait for it. */
const BATCH = 500;

/** Bursts whose stored clicks are to be re-classed. */
export class ReclassQueue {
  readonly #waiting = new Map<string, TeamAddress & { spans: Span[] }>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add({ teamId, addressHash }: TeamAddress, span: Span): void {
    const key = `${teamId} ${addressHash}`;
    const waiting = this.#waiting.get(key) ?? { teamId, addressHash, spans: [] };
    this.#waiting.set(key, waiting);
    addSpan(waiting.spans, span);
  }

  /** Re-classes all waiting bursts. Throws when the store fails; what is left to do stays in the queue. */
  async run(): Promise<void> {
    for (const [key, { spans, ...follower }] of this.#waiting) {
      this.#waiting.delete(key);
      for (const span of spans) {
        try {
          await reclassSpan(follower, span);
        } catch (error) {
          for (const left of spans.slice(spans.indexOf(span))) this.add(follower, left);
          throw error;
        }
      }
    }
  }
}

async function reclassSpan(follower: TeamAddress, span: Span): Promise<void> {
  let fromMs = span.fromMs;
  let changed = 0;
  for (;;) {
    const clicks = await readHumanClicks(follower, { ...span, fromMs }, BATCH);
    changed += await reclassClicks(clicks);
    if (clicks.length < BATCH) break;
    // Re-classed clicks of that very moment no longer count as people's, so they are not read again.
    fromMs = clicks.at(-1)?.occurredAt ?? fromMs;
  }
  if (changed > 0)
    log.info({ teamId: follower.teamId, clicks: changed }, 'a burst was found; its clicks are a scanner’s now');
}

interface ReclassedClick {
  project_id: string;
  id: string;
  link_id: string;
  address_hash: string;
  /** Text on SQLite. */
  occurred_at: string | Date;
}

/**
 * Re-classes stored clicks of people as ones of a burst and corrects all their counts, in one transaction; returns the number of
 * re-classed clicks. Clicks of another class and missing ones are skipped, so a repeated call changes nothing. Events of clicks
 * that still wait for `collectTraffic` will have the new class.
 */
export async function reclassClicks(clicks: readonly { id: string; projectId: string }[]): Promise<number> {
  if (clicks.length === 0) return 0;
  const reason: TrafficReason = 'burst';
  const ids = clicks.map(({ id }) => id).sort();
  return inTransaction(async (transaction) => {
    const changed = await withJsonRows<ReclassedClick>(
      { id: 'text' },
      ids.map((id) => [id]),
      `UPDATE clicks SET traffic_class = $2, traffic_reason = $3
       WHERE id IN (SELECT id FROM given) AND traffic_class = 'human' RETURNING id, project_id, link_id, address_hash, occurred_at`,
      transaction,
      [trafficClass(reason), reason],
    );
    const moved = changed.map(({ id, project_id, address_hash, occurred_at }) => ({
      id,
      projectId: project_id,
      addressHash: address_hash,
      occurredAt: new Date(occurred_at).getTime(),
    }));
    await addToBacklog(moved, transaction);
    await subtractFromLinks(
      changed.map(({ link_id }) => link_id),
      transaction,
    );
    await forgetMatchClicks(moved, transaction);
    return changed.length;
  });
}
