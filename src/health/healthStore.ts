import type { Transaction } from '../db/sequelize.ts';
import { newId } from '../kernel/ids.ts';
import { HealthCheck } from '../models/HealthCheck.ts';
import { HealthEntry } from '../models/HealthEntry.ts';
import { HealthTurn } from '../models/HealthTurn.ts';
import type { Project } from '../models/Project.ts';
import { CHECKS } from './checks.ts';
import type { CheckState, HealthState } from './decideHealth.ts';

const UNKNOWN = { status: 'skip', message: 'Not checked yet.', since: null, failures: 0, involved: false } as const;

/** The health of a project as it is reported, with every check of the table in its order. */
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

/** Writes what is new of the checks, and for those whose status changed what they said until now. */
export async function writeChecks(
  projectId: string,
  before: readonly CheckState[],
  after: readonly CheckState[],
  transaction: Transaction,
): Promise<void> {
  // Mostly nothing is new, and nothing is written.
  const isNew = (check: CheckState, at: number) => JSON.stringify(check) !== JSON.stringify(before[at]);
  const rows = after.filter(isNew).map((check) => ({ projectId, ...check }));
  const updateOnDuplicate = ['status', 'message', 'since', 'failures', 'involved'];
  await HealthCheck.bulkCreate(rows, { updateOnDuplicate: updateOnDuplicate as never, transaction });
  for (const [at, { name, status, message, since }] of after.entries()) {
    const old = before[at]?.since ?? null;
    if (since === null || since.getTime() === old?.getTime()) continue;
    if (old) {
      // A clock that was set back must make no entry that ends before it begins.
      const until = new Date(Math.max(since.getTime(), old.getTime()));
      await HealthEntry.update({ until }, { where: { projectId, name, since: old, until: null }, transaction });
    }
    await HealthEntry.create({ id: newId('hlt'), projectId, name, status, message, since }, { transaction });
  }
}
