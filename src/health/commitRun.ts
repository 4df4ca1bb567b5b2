import { raiseAlert } from '../alerts/raiseAlert.ts';
import { resolveAlert } from '../alerts/resolveAlert.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { lockNames } from '../db/lockNames.ts';
import type { Transaction } from '../db/sequelize.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { recordEvent } from '../events/recordEvent.ts';
import { now } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import { Alert } from '../models/Alert.ts';
import { Project } from '../models/Project.ts';
import { decideHealth, type HealthDecision, type HealthRun } from './decideHealth.ts';
import { several } from './findings.ts';
import { readHealth, writeChecks } from './healthState.ts';
import { endTurn, type Turn } from './turns.ts';

/**
 * Writes what a run found: checks, history, health of the project, event, alert and the end of its turn, all or none. What
 * it decides from is read again under a lock, so that runs that race tell of each change once.
 */
export async function commitRun(projectId: string, run: HealthRun, turn: Turn | null): Promise<void> {
  const decision = await inTransaction(async (transaction) => {
    await lockNames([`health ${projectId}`], transaction);
    const project = await Project.findByPk(projectId, { transaction });
    if (!project) return null;
    const at = now();
    const before = await readHealth(project, transaction);
    const decided = decideHealth(before, run, at);
    await writeChecks(projectId, before.checks, decided.checks, transaction);
    if (decided.health !== before.health) {
      // No change of the project by somebody: `updated_at` stays.
      const change = { where: { id: projectId }, silent: true, transaction };
      await Project.update({ health: decided.health }, change);
    }
    await tell(project, decided, transaction);
    await endTurn(projectId, turn, at, transaction);
    return decided;
  });
  if (decision?.event) log.warn({ project: projectId, checks: namesOf(decision) }, decision.event);
}

async function tell(project: Project, { event, alert, concerned }: HealthDecision, transaction: Transaction) {
  const { id: projectId, teamId } = project;
  const incident = `health:${projectId}`;
  if (event) await recordEvent(transaction, { type: event, teamId, projectId, data: PRESENTERS[event](concerned) });
  if (alert === 'resolve') return resolveAlert(transaction, incident);
  if (alert === null) return;
  const said = {
    message: several(concerned.map(({ name, message }) => `${name}: ${message}`)),
    details: PRESENTERS['health.failed'](concerned),
  };
  if (alert === 'update') {
    const open = await Alert.findOne({ where: { incident, resolvedAt: null }, transaction });
    // Quietly: who was told of it looks at the page for what became of it.
    if (open && JSON.stringify(open.details) !== JSON.stringify(said.details)) await open.update(said, { transaction });
    return;
  }
  const title = 'Health checks fail';
  await raiseAlert(transaction, { teamId, projectId, kind: 'health', severity: 'critical', title, incident, ...said });
}

function namesOf({ concerned }: HealthDecision): string[] {
  return concerned.map(({ name }) => name);
}
