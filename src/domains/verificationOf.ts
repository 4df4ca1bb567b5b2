import type { Domain } from '../models/Domain.ts';
import { NOTHING_SEEN } from './Finding.ts';
import { knownAddresses, linkTarget } from './ownAddresses.ts';
import { isRoutingProof } from './proof.ts';
import { type VerificationRecord, verificationRecords } from './verificationRecords.ts';

/** What the owner of a domain has to set, from what is known here: nobody is asked. */
export function verificationOf(domain: Domain): VerificationRecord[] {
  const place = { target: linkTarget(), addresses: knownAddresses(), isProof: isRoutingProof() };
  return verificationRecords(domain, place, domain.seen ?? NOTHING_SEEN);
}
