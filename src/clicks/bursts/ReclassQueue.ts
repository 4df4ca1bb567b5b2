import { log } from '../../kernel/log.ts';
import { clickStore } from '../chosenStore.ts';
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
    changed += await clickStore().reclass(clicks);
    if (clicks.length < BATCH) break;
    // Re-classed clicks of that very moment no longer count as people's, so they are not read again.
    fromMs = clicks.at(-1)?.occurredAt ?? fromMs;
  }
  if (changed > 0)
    log.info({ teamId: follower.teamId, clicks: changed }, 'a burst was found; its clicks are a scanner’s now');
}
