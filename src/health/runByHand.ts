import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { insideScope } from '../db/holdCommit.ts';
import { atMost } from '../kernel/atMost.ts';
import { config } from '../kernel/config.ts';
import { checkProject } from './checkProject.ts';

/** Runs that may follow each other at once: enough to see a failure count, repair it and look again. */
const AT_ONCE_OF_PROJECT = 4;
/** Projects of a process: each asks several hosts at once. */
const turns = atMost(16);

/** Of the wait and of the run itself: both together leave the request time to be answered. */
const SHARE_OF_REQUEST = { wait: 0.3, run: 0.5 };

const underWay = new Map<string, Promise<void>>();
/** When the last runs began, in milliseconds of the monotonic clock. */
const begun = new LRUCache<string, number[]>({ max: 10_000 });

/**
 * Runs the checks of a project now, because somebody asks. Those who ask at once share a run; those who ask again and again
 * wait, so that nobody uses us to flood others.
 */
export function runByHand(projectId: string): Promise<void> {
  const known = underWay.get(projectId);
  if (known) return known;
  // It serves several requests: it commits whatever becomes of the one that was first.
  const run = insideScope(null, () => turns(() => waitAndRun(projectId)) as Promise<void>).finally(() =>
    underWay.delete(projectId),
  );
  underWay.set(projectId, run);
  return run;
}

async function waitAndRun(projectId: string): Promise<void> {
  const last = begun.get(projectId) ?? [];
  const earliest = last.length < AT_ONCE_OF_PROJECT ? 0 : (last[0] as number) + last.length * pauseMs();
  const longestMs = config.requestSeconds * 1000 * SHARE_OF_REQUEST.wait;
  const waitMs = Math.min(earliest - performance.now(), longestMs);
  if (waitMs > 0) await delay(waitMs);
  begun.set(projectId, [...last, performance.now()].slice(-AT_ONCE_OF_PROJECT));
  const seconds = Math.min(config.healthRunSeconds, config.requestSeconds * SHARE_OF_REQUEST.run);
  await checkProject(projectId, { seconds, stop: new AbortController().signal });
}

function pauseMs(): number {
  return config.healthRunPauseSeconds * 1000;
}
