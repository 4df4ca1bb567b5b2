import { raiseAlert } from '../alerts/raiseAlert.ts';
import { resolveAlert } from '../alerts/resolveAlert.ts';
import { announce } from '../db/announce.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { lockNames } from '../db/lockNames.ts';
import type { Transaction } from '../db/sequelize.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { recordEvent } from '../events/recordEvent.ts';
import { now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { Domain } from '../models/Domain.ts';
import { teamOf } from '../services/projects/teamOf.ts';
import { failingIncident, newFailingAlert, newGainedAlert, takenIncident } from './domainAlerts.ts';
import type { Finding } from './Finding.ts';
import { judge, type Verdict } from './judge.ts';
import { type Next, nextState } from './nextState.ts';
import { isRoutingProof } from './proof.ts';
import { forgetReleased, surroundingsOf } from './rivals.ts';
import { takeFrom } from './takeFrom.ts';
import { verificationOf } from './verificationOf.ts';

/** Who looked: somebody asked for it, or a worker that took it until then. */
type Looked = { isRequested: true } | { claim: Date | null };

/** Locked by whoever decides whose a host name is. */
export function nameLock(hostname: string): string {
  return `domain ${hostname}`;
}

/**
 * Writes what a look found, and tells of what it changed, in one transaction. Gives the domain as it is then; null when
 * it is gone. What a worker found is dropped when somebody else looked meanwhile.
 */
export function settleLook({ id, hostname }: Domain, finding: Finding, looked: Looked): Promise<Domain | null> {
  return inTransaction(async (transaction) => {
    await lockNames([nameLock(hostname)], transaction);
    const domain = await Domain.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!domain) return null;
    if ('claim' in looked && domain.nextCheckAt?.getTime() !== looked.claim?.getTime()) return domain;
    const { teamId } = await teamOf(domain.projectId, transaction);
    const surroundings = await surroundingsOf(domain, teamId, transaction);
    const verdict = judge(domain, finding, surroundings, isRoutingProof());
    if (verdict.kind === 'proven') await takeAll(domain, verdict, teamId, transaction);
    const look = { at: now(), isRequested: 'isRequested' in looked };
    const { turn, ...columns } = nextState(domain, verdict, look, paceOfSettings());
    // When it was looked at is no change of the domain.
    const isShown = turn !== null || columns.problem !== domain.problem;
    await domain.update({ ...columns, seen: finding.seen }, { transaction, silent: !isShown });
    if (turn !== null) await tell(domain, turn, teamId, transaction);
    return domain;
  });
}

function paceOfSettings() {
  return {
    retrySeconds: config.domainRetrySeconds,
    recheckSeconds: config.domainRecheckSeconds,
    pendingDays: config.domainPendingDays,
    failAfter: config.domainFailAfter,
  };
}

async function takeAll(
  domain: Domain,
  { by, takenFrom }: Extract<Verdict, { kind: 'proven' }>,
  teamId: string,
  transaction: Transaction,
): Promise<void> {
  for (const holder of takenFrom) await takeFrom(holder, transaction);
  if (takenFrom.length > 0) await raiseAlert(transaction, newGainedAlert(domain, teamId));
  if (by === 'txt') await forgetReleased(domain.hostname, teamId, transaction);
}

async function tell(
  domain: Domain,
  turn: NonNullable<Next['turn']>,
  teamId: string,
  transaction: Transaction,
): Promise<void> {
  const { projectId } = domain;
  if (turn === 'verified') {
    const data = PRESENTERS['domain.verified']({ ...domain.get(), verification: verificationOf(domain) });
    await recordEvent(transaction, { type: 'domain.verified', teamId, projectId, data });
  }
  if (turn === 'failing') await raiseAlert(transaction, newFailingAlert(domain, teamId));
  else
    for (const incident of [failingIncident(domain), takenIncident(domain)]) await resolveAlert(transaction, incident);
  await announce(transaction, 'domain', domain.hostname);
}
