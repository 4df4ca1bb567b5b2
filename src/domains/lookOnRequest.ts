import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { config } from '../kernel/config.ts';
import type { Domain } from '../models/Domain.ts';
import type { Finding } from './Finding.ts';
import { lookAt } from './lookAt.ts';

interface Turn {
  finding: Promise<Finding>;
  /** Milliseconds of the monotonic clock; null while it is under way. */
  endedAt: number | null;
}

const turns = new LRUCache<string, Turn>({ max: 10_000 });

/**
 * Looks at a domain now. Those who ask while a look is under way share it, and who asks again right after one waits a
 * moment: name servers are not flooded, and nobody is told what was found before they set the record.
 */
export function lookOnRequest(domain: Domain): Promise<Finding> {
  const before = turns.get(domain.id);
  if (before?.endedAt === null) return before.finding;
  const waitMs = before ? before.endedAt + config.domainLookPauseMilliseconds - performance.now() : 0;
  const turn: Turn = { finding: looking(domain, waitMs), endedAt: null };
  const end = () => {
    turn.endedAt = performance.now();
  };
  turn.finding.then(end, end);
  turns.set(domain.id, turn);
  return turn.finding;
}

async function looking(domain: Domain, waitMs: number): Promise<Finding> {
  if (waitMs > 0) await delay(waitMs);
  return lookAt(domain);
}
