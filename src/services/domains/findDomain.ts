import type { Principal } from '../../access/principal.ts';
import { Domain } from '../../models/Domain.ts';
import { findOwned } from '../findOwned.ts';

/** One domain, to be read. Throws `not_found`. */
export function findDomain(principal: Principal, id: string): Promise<Domain> {
  return findOwned(Domain, principal, 'domains:read', id, 'domain');
}
