import { inTransaction } from '../db/inTransaction.ts';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { HealthTurn } from '../models/HealthTurn.ts';
import { checkProject } from './checkProject.ts';
import { placeMissingTurns } from './placeTurns.ts';
import { claimTurn, returnTurn, type Turn } from './turns.ts';

/** Checks the health of the projects that are due; ends soon after `signal` says that the process stops. */
export async function checkDueProjects(signal: AbortSignal): Promise<void> {
  await placeMissingTurns();
  const workers = Array.from({ length: config.healthConcurrency }, () => work(signal));
  for (const ended of await Promise.allSettled(workers)) if (ended.status === 'rejected') throw ended.reason;
}

async function work(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const turn = await claimTurn();
    if (!turn) return;
    await take(turn, signal);
  }
}

/** A run that could not be written stays due, and is tried again when its lease is over: it must not keep others waiting. */
async function take(turn: Turn, stop: AbortSignal): Promise<void> {
  const { projectId } = turn;
  try {
    const isDone = await checkProject(projectId, { seconds: config.healthRunSeconds, stop, turn });
    if (stop.aborted && !isDone) await returnTurn(turn);
    // There is no such project any more.
    else if (!isDone) await inTransaction((transaction) => HealthTurn.destroy({ where: { projectId }, transaction }));
  } catch (error) {
    log.warn({ err: error, project: projectId }, 'the health of a project could not be checked; it is tried again');
  }
}
