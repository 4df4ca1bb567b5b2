import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ofStore } from '../db/ofStore.ts';
import { config } from '../kernel/config.ts';
import type { Domain } from '../models/Domain.ts';
import { checkDomain } from './checkDomain.ts';
import type { DomainFinding } from './decideOwnership.ts';

interface RequestedCheck {
  finding: Promise<DomainFinding>;
  /** Milliseconds of the monotonic clock; null while the check is running. */
  endedAt: number | null;
}

const checks = ofStore(() => new LRUCache<string, RequestedCheck>({ max: 10_000 }));

/**
 * Checks a domain now. Requests during a running check share its result, and the next check starts only after a pause.
 * This protects name servers from floods, and a result is never older than the request.
 */
export function checkOnRequest(domain: Domain): Promise<DomainFinding> {
  const before = checks().get(domain.id);
  if (before?.endedAt === null) return before.finding;
  const waitMs = before ? before.endedAt + config.domainCheckPauseMilliseconds - performance.now() : 0;
  const check: RequestedCheck = { finding: checkAfter(domain, waitMs), endedAt: null };
  const end = () => {
    check.endedAt = performance.now();
  };
  check.finding.then(end, end);
  checks().set(domain.id, check);
  return check.finding;
}

async function checkAfter(domain: Domain, waitMs: number): Promise<DomainFinding> {
  if (waitMs > 0) await delay(waitMs);
  return checkDomain(domain);
}
