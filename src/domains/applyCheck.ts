import { teamOf } from '../access/findOwned.ts';
import { raiseAlert, resolveAlert } from '../alerts/raiseAlert.ts';
import { announce } from '../db/announce.ts';
import { rowLock } from '../db/dialects.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { recordEvent } from '../events/recordEvent.ts';
import { now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { Domain } from '../models/Domain.ts';
import { Project } from '../models/Project.ts';
import { type DomainFinding, decideOwnership, heldProblem, type OwnershipDecision } from './decideOwnership.ts';
import { decideState, type StateDecision } from './decideState.ts';
import {
  failingIncident,
  gainedIncident,
  newFailingAlert,
  newGainedAlert,
  newTakenAlert,
  takenIncident,
} from './domainAlerts.ts';
import { forgetReleases, readOtherClaims, recordRelease } from './rivals.ts';
import { isRoutingProof, verificationOf } from './verification.ts';

/** Why the domain was checked: on request, or by a worker that holds a lease until `claim`. */
type CheckReason = { isRequested: true } | { claim: Date | null };

/**
 * Locks the domains of all projects with that host name until the transaction ends: under this lock it is decided who owns
 * the name. One that is added meanwhile is not verified, and its first check waits here.
 */
export async function lockHostname(hostname: string, transaction: Transaction): Promise<void> {
  const sql = `SELECT id FROM domains WHERE hostname = $1 ORDER BY id ${rowLock('FOR UPDATE')}`;
  await queryRaw(sql, [hostname], transaction);
}

/**
 * Stores the result of a check, with the resulting events and alerts, in one transaction. Returns the updated domain, or
 * null if it was deleted. A worker's result is dropped if the domain was checked again in the meantime.
 */
export function applyCheck(
  { id, hostname }: Domain,
  finding: DomainFinding,
  reason: CheckReason,
): Promise<Domain | null> {
  return inTransaction(async (transaction) => {
    await lockHostname(hostname, transaction);
    const domain = await Domain.findByPk(id, { transaction });
    if (!domain) return null;
    if ('claim' in reason && domain.nextCheckAt?.getTime() !== reason.claim?.getTime()) return domain;
    const { teamId } = await teamOf(domain.projectId, transaction);
    const others = await readOtherClaims(domain, teamId, transaction);
    const ownership = decideOwnership(domain, finding, others, isRoutingProof());
    if (ownership.kind === 'proven') await takeOver(domain, ownership, teamId, transaction);
    const check = { at: now(), isRequested: 'isRequested' in reason };
    const { change, ...columns } = decideState(domain, ownership, check, checkPace());
    // The time of a check alone is not a change of the domain: `updated_at` stays.
    const isVisible = change !== null || columns.problem !== domain.problem;
    await domain.update({ ...columns, seen: finding.seen }, { transaction, silent: !isVisible });
    if (change !== null) await recordChange(domain, change, teamId, transaction);
    return domain;
  });
}

function checkPace() {
  return {
    retrySeconds: config.domainRetrySeconds,
    recheckSeconds: config.domainRecheckSeconds,
    pendingDays: config.domainPendingDays,
    failAfter: config.domainFailAfter,
  };
}

async function takeOver(
  domain: Domain,
  { by, takenFrom }: Extract<OwnershipDecision, { kind: 'proven' }>,
  teamId: string,
  transaction: Transaction,
): Promise<void> {
  for (const holder of takenFrom) await revokeOwnership(holder, transaction);
  if (takenFrom.length > 0) await raiseAlert(transaction, newGainedAlert(domain, teamId));
  if (by === 'txt') await forgetReleases(domain.hostname, teamId, transaction);
}

async function recordChange(
  domain: Domain,
  change: NonNullable<StateDecision['change']>,
  teamId: string,
  transaction: Transaction,
): Promise<void> {
  const { projectId } = domain;
  if (change === 'verified') {
    const data = PRESENTERS['domain.verified']({ ...domain.get(), verification: verificationOf(domain) });
    await recordEvent(transaction, { type: 'domain.verified', teamId, projectId, data });
  }
  if (change === 'failing') await raiseAlert(transaction, newFailingAlert(domain, teamId));
  else
    for (const incident of [failingIncident(domain), takenIncident(domain)]) await resolveAlert(transaction, incident);
  await announce(transaction, 'domain', domain.hostname);
}

/**
 * Revokes a verification because another team proved that it owns the name. The links of the domain are kept. In a deleted
 * project too: when it is restored, the domain is pending, and its alert is there.
 */
async function revokeOwnership(id: string, transaction: Transaction): Promise<void> {
  const domain = await Domain.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
  // It was purged meanwhile with its project.
  if (!domain) return;
  const { teamId } = await Project.unscoped().findByPk(domain.projectId, { transaction, rejectOnEmpty: true });
  await domain.update(
    {
      status: 'pending',
      verifiedAt: null,
      verifiedBy: null,
      failures: 0,
      // It is only checked again on request.
      nextCheckAt: null,
      problem: heldProblem(domain),
    },
    { transaction },
  );
  await recordRelease(domain.hostname, teamId, transaction);
  await resetDefaultDomain(domain, transaction);
  for (const incident of [failingIncident(domain), gainedIncident(domain)]) await resolveAlert(transaction, incident);
  await raiseAlert(transaction, newTakenAlert(domain, teamId));
}

/** If the domain is the project's default domain, the service's domain becomes the default. */
export async function resetDefaultDomain(
  { projectId, hostname }: Pick<Domain, 'projectId' | 'hostname'>,
  transaction: Transaction,
): Promise<void> {
  const [changed] = await Project.unscoped().update(
    { defaultDomain: null },
    { where: { id: projectId, defaultDomain: hostname }, transaction },
  );
  if (changed > 0) await announce(transaction, 'project', projectId);
}
