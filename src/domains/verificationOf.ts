import type { Domain } from '../models/Domain.ts';
import { knownAddresses, linkTarget } from './ownAddresses.ts';
import { type VerificationRecord, verificationRecords } from './verificationRecords.ts';

/** What the owner of a domain has to set, from what is known here: nobody is asked. */
export function verificationOf(domain: Domain): VerificationRecord[] {
  return verificationRecords(domain, { target: linkTarget(), addresses: knownAddresses() });
}
