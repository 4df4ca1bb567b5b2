import { log } from '../../kernel/log.ts';
import { type Follower, readHuman } from './readFollowed.ts';
import { reclassClicks } from './reclassClicks.ts';
import { addSpan, type Span } from './spans.ts';

/** Clicks in one transaction: on SQLite every other write waits for it. */
const BATCH = 500;

/** Bursts whose clicks in the store are to be re-classed. */
export class Reclassing {
  readonly #waiting = new Map<string, Follower & { spans: Span[] }>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add({ teamId, addressHash }: Follower, span: Span): void {
    const key = `${teamId} ${addressHash}`;
    const waiting = this.#waiting.get(key) ?? { teamId, addressHash, spans: [] };
    this.#waiting.set(key, waiting);
    addSpan(waiting.spans, span);
  }

  /** Does all that waits. Throws when the store does not let it; what is not done goes on waiting. */
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

async function reclassSpan(follower: Follower, span: Span): Promise<void> {
  let fromMs = span.fromMs;
  let changed = 0;
  for (;;) {
    const clicks = await readHuman(follower, { ...span, fromMs }, BATCH);
    changed += await reclassClicks(clicks);
    if (clicks.length < BATCH) break;
    // Those of that very moment that are done are not read again.
    fromMs = clicks.at(-1)?.occurredAt ?? fromMs;
  }
  if (changed > 0) log.info({ teamId: follower.teamId, clicks: changed }, 'a burst: its clicks are a scanner’s');
}
