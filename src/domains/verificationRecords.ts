import { isIPv6 } from 'node:net';
import type { Domain } from '../models/Domain.ts';
import { registrableDomain } from '../scan/domainName.ts';
import type { Seen } from './Finding.ts';
import { fileUrl, proofText, txtName } from './proof.ts';

/** A record to set, or a file to serve. */
export interface VerificationRecord {
  name: string;
  type: 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'FILE';
  value: string;
  /** `ownership`: says whose the name is. `routing`: leads visitors here. */
  purpose: 'ownership' | 'routing';
  /** What to paste where, for people to read. */
  about: string;
  /** What the last look found there; null: nobody has looked, or nobody answered. */
  found: string[] | null;
  /** Whether it was as it must be then. */
  isSet: boolean;
}

export interface OwnPlace {
  /** Name that link domains point to. */
  target: string;
  /** Null: not known yet. */
  addresses: string[] | null;
  /** A name that leads here is proof enough. */
  isProof: boolean;
}

type Claim = Pick<Domain, 'id' | 'hostname' | 'kind' | 'verificationToken'>;

/**
 * What the owner of a domain has to set, and what was seen of it. One ownership record is enough; a link domain also needs
 * its routing.
 */
export function verificationRecords(claim: Claim, place: OwnPlace, seen: Seen): VerificationRecord[] {
  return claim.kind === 'web'
    ? [txt(claim, seen), file(claim, seen)]
    : [txt(claim, seen), ...routing(claim.hostname, place, seen)];
}

function txt(claim: Claim, { txt: found }: Seen): VerificationRecord {
  const name = txtName(claim);
  return {
    name,
    type: 'TXT',
    value: proofText(claim),
    purpose: 'ownership',
    about: `Add a TXT record with this name and value where the DNS of ${zoneOf(claim.hostname)} is managed; some providers want the name without ".${zoneOf(claim.hostname)}". Leave it there: it keeps the name yours.`,
    found,
    isSet: isAmong(found, proofText(claim)),
  };
}

function isAmong(found: string[] | null, value: string): boolean {
  return found?.some((text) => text.trim() === value) ?? false;
}

function file(claim: Claim, { file: found }: Seen): VerificationRecord {
  return {
    name: fileUrl(claim),
    type: 'FILE',
    value: proofText(claim),
    purpose: 'ownership',
    about:
      'Instead of the TXT record: serve this text, and nothing else, at this URL, over https and without a redirect.',
    found,
    isSet: isAmong(found, proofText(claim)),
  };
}

function routing(hostname: string, { target, addresses, isProof }: OwnPlace, seen: Seen): VerificationRecord[] {
  const purpose = 'routing';
  // Where a provider answers with the addresses of the alias, those are all there is to see.
  const seenAlias = { found: seen.alias?.length ? seen.alias : seen.addresses, isSet: seen.isRouted };
  if (zoneOf(hostname) !== hostname) {
    const about = `Add a CNAME record for ${hostname} that points to ${target}: it leads visitors here${isProof ? ', which also proves that the name is yours until somebody proves it by a TXT record' : '; that the name is yours, only the TXT record proves'}.`;
    return [{ name: hostname, type: 'CNAME', value: target, purpose, about, ...seenAlias }];
  }
  const alias = `${hostname} is the apex of its zone, which cannot have a CNAME: use the ALIAS or ANAME record of your DNS provider to point it to ${target}`;
  if (addresses === null || addresses.length === 0) {
    const about = `${alias}. The addresses for A and AAAA records are not known yet; verify the domain, or look again in a minute, to see them.`;
    return [{ name: hostname, type: 'CNAME', value: target, purpose, about, ...seenAlias }];
  }
  return addresses.map((address) => {
    const type = isIPv6(address) ? 'AAAA' : 'A';
    const found = seen.addresses?.filter((each) => isIPv6(each) === isIPv6(address)) ?? null;
    const about = `${alias}, or add this ${type} record; it may have no other addresses.`;
    return { name: hostname, type, value: address, purpose, about, found, isSet: found?.includes(address) ?? false };
  });
}

/** The domain that was registered, under which the name stands; the name itself when it is one. */
function zoneOf(hostname: string): string {
  return registrableDomain(hostname) ?? hostname;
}
