import { raiseAlert, resolveAlert } from '../alerts/raiseAlert.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction, lockRow } from '../db/transactions.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { recordEvent } from '../events/recordEvent.ts';
import { now } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import { Alert } from '../models/Alert.ts';
import { Project } from '../models/Project.ts';
import { CHECKS } from './checkTable.ts';
import { decideHealth, type HealthDecision, type HealthRun } from './decideHealth.ts';
import { type CheckResult, firstFew } from './findings.ts';
import { type DueProject, endRun } from './healthSchedule.ts';
import { readHealth, writeChecks } from './healthStore.ts';
import { ProbeSession } from './ProbeSession.ts';
import { type CheckSubject, readCheckSubject } from './readSubject.ts';

interface RunOptions {
  /** The time limit of the whole run. */
  seconds: number;
  /** Aborts the run; nothing is stored then. */
  stop: AbortSignal;
  due?: DueProject;
}

/**
 * Runs all checks of a project and stores their results. Returns false if the run was aborted or the project does not exist.
 * No transaction is open while the network is probed.
 */
export async function checkProject(projectId: string, { seconds, stop, due }: RunOptions): Promise<boolean> {
  const startedAt = now();
  const subject = await readCheckSubject(projectId);
  if (!subject) return false;
  const results = await runChecks(subject, new ProbeSession(seconds, stop));
  if (stop.aborted) return false;
  await recordRun(projectId, { results, startedAt }, due ?? null);
  return true;
}

async function runChecks(subject: CheckSubject, probes: ProbeSession): Promise<Map<string, CheckResult>> {
  const results = new Map<string, CheckResult>();
  await Promise.all(
    CHECKS.map(async ({ name, run }) => {
      try {
        const result = await run(subject, probes);
        if (result) results.set(name, result);
        else log.info({ project: subject.projectId, check: name }, 'a health check did not finish in time');
      } catch (error) {
        // An internal error says nothing about the project.
        log.error({ err: error, project: subject.projectId, check: name }, 'could not run a health check');
      }
    }),
  );
  return results;
}

/**
 * Stores a run in one transaction: checks, history, the project's health, event, alert, and the next due time. The state
 * before is read under a lock, so that simultaneous runs report each change once.
 */
export async function recordRun(projectId: string, run: HealthRun, due: DueProject | null): Promise<void> {
  const decision = await inTransaction(async (transaction) => {
    await lockRow('projects', projectId, transaction);
    const project = await Project.findByPk(projectId, { transaction });
    if (!project) return null;
    const at = now();
    const before = await readHealth(project, transaction);
    const decided = decideHealth(before, run, at);
    await writeChecks(projectId, before.checks, decided.checks, transaction);
    if (decided.health !== before.health) {
      // `silent` keeps `updated_at`: the project itself did not change.
      const change = { where: { id: projectId }, silent: true, transaction };
      await Project.update({ health: decided.health }, change);
    }
    await recordOutcome(project, decided, transaction);
    await endRun(projectId, due, at, transaction);
    return decided;
  });
  if (decision?.event) log.warn({ project: projectId, checks: namesOf(decision) }, decision.event);
}

async function recordOutcome(project: Project, { event, alert, concerned }: HealthDecision, transaction: Transaction) {
  const { id: projectId, teamId } = project;
  const incident = `health:${projectId}`;
  if (event) await recordEvent(transaction, { type: event, teamId, projectId, data: PRESENTERS[event](concerned) });
  if (alert === 'resolve') return resolveAlert(transaction, incident);
  if (alert === null) return;
  const content = {
    message: firstFew(concerned.map(({ name, message }) => `${name}: ${message}`)),
    details: PRESENTERS['health.failed'](concerned),
  };
  if (alert === 'update') {
    const open = await Alert.findOne({ where: { incident, resolvedAt: null }, transaction });
    // Updates the open alert without another notification: its page shows the current state.
    if (open && JSON.stringify(open.details) !== JSON.stringify(content.details))
      await open.update(content, { transaction });
    return;
  }
  const title = 'Health checks fail';
  await raiseAlert(transaction, {
    teamId,
    projectId,
    kind: 'health',
    severity: 'critical',
    title,
    incident,
    ...content,
  });
}

function namesOf({ concerned }: HealthDecision): string[] {
  return concerned.map(({ name }) => name);
}
