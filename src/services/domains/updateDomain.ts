import type { Principal } from '../../access/principal.ts';
import { recordChange } from '../../audit/recordChange.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { notFound } from '../../kernel/errors.ts';
import { Domain } from '../../models/Domain.ts';
import { findOwned } from '../findOwned.ts';
import { teamOf } from '../projects/teamOf.ts';
import { aboutDomain } from './aboutDomain.ts';
import { DESTINATIONS, type DomainInput } from './domainInput.ts';
import { scanDestinations } from './scanDestinations.ts';

/** Changes the destinations that are sent; redirects follow within a second. Throws `not_found`, `destination_refused`. */
export async function updateDomain(principal: Principal, id: string, input: DomainInput): Promise<Domain> {
  const found = await findOwned(Domain, principal, 'domains:write', id, 'domain');
  await scanDestinations(found.hostname, input);
  return inTransaction(async (transaction) => {
    const domain = await Domain.findByPk(found.id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!domain) throw notFound('domain');
    const before = { ...domain.get() };
    for (const field of DESTINATIONS) if (input[field] !== undefined) domain.set(field, input[field]);
    await domain.save({ transaction });
    const about = aboutDomain(domain, await teamOf(domain.projectId, transaction));
    const change = { ...about, before, after: domain.get(), fields: DESTINATIONS };
    await recordChange(transaction, principal, { ...change, action: 'domain.updated' });
    await announce(transaction, 'domain', domain.hostname);
    return domain;
  });
}
