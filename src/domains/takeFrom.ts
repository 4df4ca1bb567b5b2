import { raiseAlert } from '../alerts/raiseAlert.ts';
import { resolveAlert } from '../alerts/resolveAlert.ts';
import type { Transaction } from '../db/sequelize.ts';
import { Domain } from '../models/Domain.ts';
import { teamOf } from '../services/projects/teamOf.ts';
import { failingIncident, gainedIncident, newTakenAlert } from './domainAlerts.ts';
import { heldProblem } from './judge.ts';
import { leaveDefaultDomain } from './leaveDefaultDomain.ts';
import { noteReleased } from './rivals.ts';

/** Takes a domain from its project because somebody else proved that the name is theirs; its links stay. */
export async function takeFrom(id: string, transaction: Transaction): Promise<void> {
  const domain = await Domain.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
  const { teamId } = await teamOf(domain.projectId, transaction);
  await domain.update(
    {
      status: 'pending',
      verifiedAt: null,
      verifiedBy: null,
      failures: 0,
      // Whether it can be had again is for people to ask.
      nextCheckAt: null,
      problem: heldProblem(domain),
    },
    { transaction },
  );
  await noteReleased(domain.hostname, teamId, transaction);
  await leaveDefaultDomain(domain, transaction);
  for (const incident of [failingIncident(domain), gainedIncident(domain)]) await resolveAlert(transaction, incident);
  await raiseAlert(transaction, newTakenAlert(domain, teamId));
}
