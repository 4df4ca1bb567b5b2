import type { Principal } from '../../access/principal.ts';
import { resolveAlert } from '../../alerts/resolveAlert.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { lockNames } from '../../db/lockNames.ts';
import { selectBound } from '../../db/selectBound.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { failingIncident, gainedIncident, takenIncident } from '../../domains/domainAlerts.ts';
import { leaveDefaultDomain } from '../../domains/leaveDefaultDomain.ts';
import { noteReleased } from '../../domains/rivals.ts';
import { nameLock } from '../../domains/settleLook.ts';
import { CodedError, notFound } from '../../kernel/errors.ts';
import { Domain } from '../../models/Domain.ts';
import { findOwned } from '../findOwned.ts';
import { teamOf } from '../projects/teamOf.ts';
import { aboutDomain } from './aboutDomain.ts';

/** Links are counted up to here: beyond, the message says "more than". */
const MOST_COUNTED = 10_000;

/**
 * Deletes a domain; a project whose default domain it is goes back to that of the service. Throws `not_found`, and
 * `conflict` while the domain has links: they would lead nowhere without a word.
 */
export async function deleteDomain(principal: Principal, id: string): Promise<void> {
  const found = await findOwned(Domain, principal, 'domains:write', id, 'domain');
  await inTransaction(async (transaction) => {
    await lockNames([nameLock(found.hostname)], transaction);
    // Whoever makes a link holds this row until it is there.
    const domain = await Domain.findByPk(found.id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!domain) throw notFound('domain');
    if (domain.kind === 'link') await refuseWithLinks(domain, transaction);
    const { teamId } = await teamOf(domain.projectId, transaction);
    if (domain.kind === 'link' && domain.verifiedAt) await noteReleased(domain.hostname, teamId, transaction);
    await leaveDefaultDomain(domain, transaction);
    for (const incidentOf of [failingIncident, takenIncident, gainedIncident]) {
      await resolveAlert(transaction, incidentOf(domain));
    }
    await recordAudit(transaction, principal, { ...aboutDomain(domain, { teamId }), action: 'domain.deleted' });
    await domain.destroy({ transaction });
    await announce(transaction, 'domain', domain.hostname);
  });
}

async function refuseWithLinks({ projectId, hostname }: Domain, transaction: Transaction): Promise<void> {
  const [row] = await selectBound<{ count: number }>(
    `SELECT COUNT(*) AS count FROM
       (SELECT 1 FROM links WHERE project_id = $1 AND domain = $2 LIMIT ${MOST_COUNTED + 1}) AS counted`,
    [projectId, hostname],
    transaction,
  );
  const count = Number(row?.count ?? 0);
  if (count === 0) return;
  const shown = count > MOST_COUNTED ? `more than ${MOST_COUNTED}` : String(count);
  const message = `The domain has ${shown} ${count === 1 ? 'link' : 'links'}, archived ones included. Move them to another domain, or delete them, first.`;
  throw new CodedError('conflict', message);
}
