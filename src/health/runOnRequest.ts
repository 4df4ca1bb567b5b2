import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { shareUsedUp, turnsOf } from '../access/shares.ts';
import { ofStore } from '../db/ofStore.ts';
import { insideUnitOfWork } from '../db/unitOfWork.ts';
import { config } from '../kernel/config.ts';
import { checkProject } from './checkProject.ts';

/** Runs allowed without a pause: enough to confirm a failure, fix it, and check again. */
const RUNS_WITHOUT_PAUSE = 4;
/** Projects checked at the same time by a process; each probes several hosts. */
const turns = turnsOf('healthRuns');

/** The shares of the request's time limit for waiting and for the run; the rest is for the response. */
const SHARE_OF_REQUEST = { wait: 0.3, run: 0.5 };

const running = new Map<string, Promise<void>>();
/** When the last runs started, in milliseconds of the monotonic clock. */
const startTimes = ofStore(() => new LRUCache<string, number[]>({ max: 10_000 }));

/**
 * Runs the checks of a project on request. Simultaneous requests share a run, and repeated ones wait, so that this service
 * cannot be used to flood other hosts. Throws `rate_limited` where too many projects of the team wait.
 */
export function runOnRequest({ id: projectId, teamId }: { id: string; teamId: string }): Promise<void> {
  const known = running.get(projectId);
  if (known) return known;
  // The run serves several requests, so it must not be part of the first one's unit of work.
  const started = insideUnitOfWork(null, () => turns(teamId, () => waitAndRun(projectId)));
  if (!started) throw shareUsedUp('healthRuns', 'team');
  const run = started.finally(() => running.delete(projectId));
  running.set(projectId, run);
  return run;
}

async function waitAndRun(projectId: string): Promise<void> {
  const last = startTimes().get(projectId) ?? [];
  const earliest = last.length < RUNS_WITHOUT_PAUSE ? 0 : (last[0] as number) + last.length * pauseMs();
  const longestMs = config.requestSeconds * 1000 * SHARE_OF_REQUEST.wait;
  const waitMs = Math.min(earliest - performance.now(), longestMs);
  if (waitMs > 0) await delay(waitMs);
  startTimes().set(projectId, [...last, performance.now()].slice(-RUNS_WITHOUT_PAUSE));
  const seconds = Math.min(config.healthRunSeconds, config.requestSeconds * SHARE_OF_REQUEST.run);
  await checkProject(projectId, { seconds, stop: new AbortController().signal });
}

function pauseMs(): number {
  return config.healthRunPauseSeconds * 1000;
}
