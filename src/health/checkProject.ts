import { now } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import { Asking } from './Asking.ts';
import type { CheckResult } from './Check.ts';
import { CHECKS } from './checks.ts';
import { commitRun } from './commitRun.ts';
import { readSubject, type Subject } from './readSubject.ts';
import type { Turn } from './turns.ts';

export interface RunOptions {
  /** For all checks together. */
  seconds: number;
  /** Gives the run up, and nothing is written. */
  stop: AbortSignal;
  turn?: Turn;
}

/**
 * Runs every check of a project and writes what they found; false when it was given up or there is no such project. The
 * store is read before and written after: nothing is held while the network is waited for.
 */
export async function checkProject(projectId: string, { seconds, stop, turn }: RunOptions): Promise<boolean> {
  const startedAt = now();
  const subject = await readSubject(projectId);
  if (!subject) return false;
  const results = await runChecks(subject, new Asking(seconds, stop));
  if (stop.aborted) return false;
  await commitRun(projectId, { results, startedAt }, turn ?? null);
  return true;
}

async function runChecks(subject: Subject, asking: Asking): Promise<Map<string, CheckResult>> {
  const results = new Map<string, CheckResult>();
  await Promise.all(
    CHECKS.map(async ({ name, run }) => {
      try {
        const result = await run(subject, asking);
        if (result) results.set(name, result);
        else log.info({ project: subject.projectId, check: name }, 'a health check was not done in time');
      } catch (error) {
        // A fault of ours says nothing of the project.
        log.error({ err: error, project: subject.projectId, check: name }, 'a health check could not be run');
      }
    }),
  );
  return results;
}
