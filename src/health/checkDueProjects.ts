import { hasDue } from '../db/lease.ts';
import { inTransaction } from '../db/transactions.ts';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { HealthTurn } from '../models/HealthTurn.ts';
import { checkProject } from './checkProject.ts';
import {
  CHECKED,
  claimDueProject,
  type DueProject,
  HEALTH_LEASES,
  releaseProject,
  scheduleMissing,
} from './healthSchedule.ts';

/** Whether a project is due for a check. Projects without a schedule get one first. */
export async function hasDueProjects(): Promise<boolean> {
  await scheduleMissing();
  return hasDue(HEALTH_LEASES, CHECKED);
}

/** Checks the health of all projects that are due. Returns soon after `signal` aborts. */
export async function checkDueProjects(signal: AbortSignal): Promise<void> {
  await scheduleMissing();
  const workers: Promise<void>[] = [];
  // A worker starts only once it has a project, so that an idle installation queries the store once.
  while (workers.length < config.healthConcurrency && !signal.aborted) {
    const first = await claimDueProject();
    if (!first) break;
    workers.push(work(first, signal));
  }
  for (const ended of await Promise.allSettled(workers)) if (ended.status === 'rejected') throw ended.reason;
}

async function work(first: DueProject, signal: AbortSignal): Promise<void> {
  for (let due: DueProject | null = first; due; due = signal.aborted ? null : await claimDueProject()) {
    await check(due, signal);
  }
}

/** If a run fails, its project is checked again when the lease ends. The failure must not delay the other projects. */
async function check(due: DueProject, stop: AbortSignal): Promise<void> {
  const { projectId } = due;
  try {
    const isDone = await checkProject(projectId, { seconds: config.healthRunSeconds, stop, due });
    if (stop.aborted && !isDone) await releaseProject(due);
    // The project was deleted.
    else if (!isDone) await inTransaction((transaction) => HealthTurn.destroy({ where: { projectId }, transaction }));
  } catch (error) {
    log.warn(
      { err: error, project: projectId },
      'could not check the health of a project; will retry when the lease ends',
    );
  }
}
