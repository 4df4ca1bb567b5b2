import type { Principal } from '../../access/principal.ts';
import { lookOnRequest } from '../../domains/lookOnRequest.ts';
import { settleLook } from '../../domains/settleLook.ts';
import { notFound } from '../../kernel/errors.ts';
import { Domain } from '../../models/Domain.ts';
import { findOwned } from '../findOwned.ts';

/** Looks at a domain now and gives what became of it, which `problem` explains. Throws `not_found`. */
export async function verifyDomain(principal: Principal, id: string): Promise<Domain> {
  const found = await findOwned(Domain, principal, 'domains:write', id, 'domain');
  const domain = await settleLook(found, await lookOnRequest(found), { isRequested: true });
  if (!domain) throw notFound('domain');
  return domain;
}
