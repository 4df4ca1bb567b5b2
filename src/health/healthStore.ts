import { deleteOldest } from '../db/deleteOldest.ts';
import { sqlTime } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { newId } from '../kernel/ids.ts';
import { HealthCheck } from '../models/HealthCheck.ts';
import { HealthEntry } from '../models/HealthEntry.ts';
import { HealthTurn } from '../models/HealthTurn.ts';
import type { Project } from '../models/Project.ts';
import { CHECKS } from './checkTable.ts';
import type { CheckState, HealthState } from './decideHealth.ts';

const UNKNOWN = { status: 'skip', message: 'Not checked yet.', since: null, failures: 0, involved: false } as const;

/** The health of a project, with every check of the table in its order. */
export async function readHealth({ id, health }: Project, transaction?: Transaction): Promise<HealthState> {
  const options = { where: { projectId: id }, ...(transaction ? { transaction } : {}) };
  const rows = await HealthCheck.findAll(options);
  const turn = await HealthTurn.findOne(options);
  const byName = new Map(
    rows.map(({ name, status, message, since, failures, involved }) => {
      return [name, { name, status, message, since, failures, involved }];
    }),
  );
  const checks = CHECKS.map(({ name }): CheckState => byName.get(name) ?? { name, ...UNKNOWN });
  return { health, ranAt: turn?.ranAt ?? null, checks };
}

/** Stores the checks that changed, and a history entry for each whose status changed. */
export async function writeChecks(
  projectId: string,
  before: readonly CheckState[],
  after: readonly CheckState[],
  transaction: Transaction,
): Promise<void> {
  // Usually nothing has changed, and nothing is written.
  const isChanged = (check: CheckState, at: number) => JSON.stringify(check) !== JSON.stringify(before[at]);
  const rows = after.filter(isChanged).map((check) => ({ projectId, ...check }));
  const updateOnDuplicate = ['status', 'message', 'since', 'failures', 'involved'];
  await HealthCheck.bulkCreate(rows, { updateOnDuplicate: updateOnDuplicate as never, transaction });
  for (const [at, { name, status, message, since }] of after.entries()) {
    const old = before[at]?.since ?? null;
    if (since === null || since.getTime() === old?.getTime()) continue;
    if (old) {
      // After the clock was set back, an entry must not end before it begins.
      const until = new Date(Math.max(since.getTime(), old.getTime()));
      await HealthEntry.update({ until }, { where: { projectId, name, since: old, until: null }, transaction });
    }
    await HealthEntry.create({ id: newId('hlt'), projectId, name, status, message, since }, { transaction });
  }
}

/** Deletes up to `batch` old history entries. Returns whether there may be more. */
export async function purgeHealthHistory(batch: number): Promise<boolean> {
  const values = [sqlTime(clock.now() - config.healthHistoryDays * DAY_MS)];
  const old = { table: 'health_history', where: 'until < $1', values, oldestBy: 'until' };
  return (await deleteOldest({ ...old, batch })) === batch;
}
