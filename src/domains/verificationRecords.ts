import { isIPv6 } from 'node:net';
import type { Domain } from '../models/Domain.ts';
import { registrableDomain } from '../scan/domainName.ts';
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
}

export interface OwnPlace {
  /** Name that link domains point to. */
  target: string;
  /** Null: not known yet. */
  addresses: string[] | null;
}

type Claim = Pick<Domain, 'id' | 'hostname' | 'kind' | 'verificationToken'>;

/** What the owner of a domain has to set. One ownership record is enough; a link domain also needs its routing. */
export function verificationRecords(claim: Claim, place: OwnPlace): VerificationRecord[] {
  return claim.kind === 'web' ? [txt(claim), file(claim)] : [txt(claim), ...routing(claim.hostname, place)];
}

function txt(claim: Claim): VerificationRecord {
  const name = txtName(claim);
  return {
    name,
    type: 'TXT',
    value: proofText(claim),
    purpose: 'ownership',
    about: `Add a TXT record with this name and value where the DNS of ${zoneOf(claim.hostname)} is managed; some providers want the name without ".${zoneOf(claim.hostname)}".`,
  };
}

function file(claim: Claim): VerificationRecord {
  return {
    name: fileUrl(claim),
    type: 'FILE',
    value: proofText(claim),
    purpose: 'ownership',
    about:
      'Instead of the TXT record: serve this text, and nothing else, at this URL, over https and without a redirect.',
  };
}

function routing(hostname: string, { target, addresses }: OwnPlace): VerificationRecord[] {
  const purpose = 'routing';
  if (zoneOf(hostname) !== hostname) {
    const about = `Add a CNAME record for ${hostname} that points to ${target}: it leads visitors here, and unless another team ever had this name it also proves that it is yours.`;
    return [{ name: hostname, type: 'CNAME', value: target, purpose, about }];
  }
  const alias = `${hostname} is the apex of its zone, which cannot have a CNAME: use the ALIAS or ANAME record of your DNS provider to point it to ${target}`;
  if (addresses === null || addresses.length === 0) {
    const about = `${alias}. The addresses for A and AAAA records are not known yet; verify the domain, or look again in a minute, to see them.`;
    return [{ name: hostname, type: 'CNAME', value: target, purpose, about }];
  }
  return addresses.map((address) => {
    const type = isIPv6(address) ? 'AAAA' : 'A';
    const about = `${alias}, or add this ${type} record; it may have no other addresses.`;
    return { name: hostname, type, value: address, purpose, about };
  });
}

/** The domain that was registered, under which the name stands; the name itself when it is one. */
function zoneOf(hostname: string): string {
  return registrableDomain(hostname) ?? hostname;
}
