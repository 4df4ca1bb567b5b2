import { isIPv6 } from 'node:net';
import { config } from '../kernel/config.ts';
import { type Domain, NOTHING_SEEN, type Seen, type VerificationRecord } from '../models/Domain.ts';
import { registrableDomain } from '../scan/domainName.ts';
import { knownAddresses, linkTarget } from './ownAddresses.ts';

/** The records that the owner of a domain has to set, from stored facts, without DNS queries. */
export function verificationOf(domain: Domain): VerificationRecord[] {
  const own = { target: linkTarget(), addresses: knownAddresses(), isProof: isRoutingProof() };
  return verificationRecords(domain, own, domain.seen ?? NOTHING_SEEN);
}

export interface LinkTarget {
  /** The name that link domains point to. */
  target: string;
  /** Null if they are not known yet. */
  addresses: string[] | null;
  /** Whether a name that points here is sufficient proof. */
  isProof: boolean;
}

type Claim = Pick<Domain, 'id' | 'hostname' | 'kind' | 'verificationToken'>;

/**
 * The records that the owner of a domain has to set, with what the last check found. One ownership record is enough; a link
 * domain also needs a routing record.
 */
export function verificationRecords(claim: Claim, place: LinkTarget, seen: Seen): VerificationRecord[] {
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
    about: `Add a TXT record with this name and value at the DNS provider of ${zoneOf(claim.hostname)}; some providers expect the name without ".${zoneOf(claim.hostname)}". Keep the record in place: without it, another team could take over the name.`,
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
      'An alternative to the TXT record: serve this text, and nothing else, at this URL, over https and without a redirect.',
    found,
    isSet: isAmong(found, proofText(claim)),
  };
}

function routing(hostname: string, { target, addresses, isProof }: LinkTarget, seen: Seen): VerificationRecord[] {
  const purpose = 'routing';
  // Some providers flatten aliases, so that only addresses can be seen.
  const seenAlias = { found: seen.alias?.length ? seen.alias : seen.addresses, isSet: seen.isRouted };
  if (zoneOf(hostname) !== hostname) {
    const about = `Add a CNAME record for ${hostname} that points to ${target}. It brings visitors to this service${isProof ? ', and proves that the name is yours unless another team sets a TXT record' : '; only the TXT record proves that the name is yours'}.`;
    return [{ name: hostname, type: 'CNAME', value: target, purpose, about, ...seenAlias }];
  }
  const alias = `${hostname} is the apex of its zone, which cannot have a CNAME: use the ALIAS or ANAME record of your DNS provider to point it to ${target}`;
  if (addresses === null || addresses.length === 0) {
    const about = `${alias}. The addresses for A and AAAA records are not known yet: verify the domain, or check back in a minute.`;
    return [{ name: hostname, type: 'CNAME', value: target, purpose, about, ...seenAlias }];
  }
  return addresses.map((address) => {
    const type = isIPv6(address) ? 'AAAA' : 'A';
    const found = seen.addresses?.filter((each) => isIPv6(each) === isIPv6(address)) ?? null;
    const about = `${alias}, or add this ${type} record. The name must have no other addresses.`;
    return { name: hostname, type, value: address, purpose, about, found, isSet: found?.includes(address) ?? false };
  });
}

/** The registrable domain of a host name. */
function zoneOf(hostname: string): string {
  return registrableDomain(hostname) ?? hostname;
}

/** The name of a record as most DNS providers ask for it: without its zone, `@` for the zone itself. Null for a file. */
export function nameInZone({ name, type }: Pick<VerificationRecord, 'name' | 'type'>): string | null {
  if (type === 'FILE') return null;
  const zone = zoneOf(name);
  return name === zone ? '@' : name.slice(0, -zone.length - 1);
}

type ProvedClaim = Pick<Domain, 'id' | 'hostname' | 'verificationToken'>;

/** The name of the TXT record that proves the ownership. */
export function txtName({ hostname }: Pick<ProvedClaim, 'hostname'>): string {
  return `_svc-challenge.${hostname}`;
}

/** The text of the record or the file. */
export function proofText({ verificationToken }: Pick<ProvedClaim, 'verificationToken'>): string {
  return `svc-verify=${verificationToken}`;
}

/** The URL of the file. It contains the id instead of the token, so that a server that echoes its path proves nothing. */
export function fileUrl({ hostname, id }: Pick<ProvedClaim, 'hostname' | 'id'>): string {
  return `https://${hostname}/.well-known/${id}.txt`;
}

/**
 * Whether a name that points here is sufficient proof for a link domain. It is not where strangers can sign up: records that
 * point here may exist before the name is added, remain after it was deleted, or be wildcards, and the first team to add
 * such a name would get it.
 */
export function isRoutingProof(): boolean {
  return config.domainProof === 'auto' ? config.signUp !== 'open' : config.domainProof === 'any';
}
