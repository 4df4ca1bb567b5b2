import { dialect } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { HealthTurn } from '../models/HealthTurn.ts';
import { nextDue } from './dueTimes.ts';
import { placeTurns } from './placeTurns.ts';

/** A project to be checked now, by whoever holds the lease. */
export interface Turn {
  projectId: string;
  dueAt: Date;
  leaseUntil: Date;
}

/** What is not over by then was given up: twice as long as a run may take, for the store is asked and told beside it. */
const leaseMs = () => config.healthRunSeconds * 2000;

/** A lease that ends later than any could was written by a clock that was set back. */
const FREE = '(lease_until IS NULL OR lease_until <= $1 OR lease_until > $2)';

/** Takes the project that is due for longest, for this process; null when none is. */
export async function claimTurn(): Promise<Turn | null> {
  const now = clock.now();
  const leaseUntil = new Date(now + leaseMs());
  const lock = dialect() === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
  const times = [sqlTime(now), sqlTime(leaseUntil.getTime())];
  const due = `SELECT project_id FROM health_turns WHERE due_at <= $1 AND ${FREE} ORDER BY due_at LIMIT 1`;
  // Asked outside a transaction first: mostly there is none, and on SQLite transactions wait for each other.
  if ((await selectBound(due, times)).length === 0) return null;
  const [claimed] = await inTransaction((transaction) =>
    selectBound<{ projectId: string; dueAt: string | Date }>(
      `WITH due AS (${due} ${lock})
       UPDATE health_turns SET lease_until = $2 FROM due WHERE health_turns.project_id = due.project_id
       RETURNING health_turns.project_id AS "projectId", due_at AS "dueAt"`,
      times,
      transaction,
    ),
  );
  return claimed ? { projectId: claimed.projectId, dueAt: new Date(claimed.dueAt), leaseUntil } : null;
}

/** Notes that a run ended, and when the next one is due if it was this turn's. */
export async function endTurn(projectId: string, turn: Turn | null, at: Date, transaction: Transaction): Promise<void> {
  if (turn) {
    const dueAt = new Date(nextDue(turn.dueAt.getTime(), at.getTime(), config.healthCheckSeconds * 1000));
    // Whoever took it over meanwhile has the say.
    const mine = { projectId, leaseUntil: turn.leaseUntil };
    const [ended] = await HealthTurn.update({ ranAt: at, dueAt, leaseUntil: null }, { where: mine, transaction });
    if (ended > 0) return;
  }
  await placeTurns([projectId], transaction);
  await HealthTurn.update({ ranAt: at }, { where: { projectId }, transaction });
}

/** Gives a turn back that was not used; it stays due. */
export async function returnTurn({ projectId, leaseUntil }: Turn): Promise<void> {
  await inTransaction((transaction) =>
    HealthTurn.update({ leaseUntil: null }, { where: { projectId, leaseUntil }, transaction }),
  );
}
