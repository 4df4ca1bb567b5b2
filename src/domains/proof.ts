import { config } from '../kernel/config.ts';
import type { Domain } from '../models/Domain.ts';

/** The ways to show that a host name is one's own; see docs/decisions/0023-domains.md. */
export type Proof = 'txt' | 'file' | 'dns';

type Claim = Pick<Domain, 'id' | 'hostname' | 'verificationToken'>;

/** Name of the TXT record that proves it. */
export function txtName({ hostname }: Pick<Claim, 'hostname'>): string {
  return `_svc-challenge.${hostname}`;
}

/** What the record, or the file, says. */
export function proofText({ verificationToken }: Pick<Claim, 'verificationToken'>): string {
  return `svc-verify=${verificationToken}`;
}

/** Where the file is: the id is no secret, so that a server that shows what it is asked for proves nothing. */
export function fileUrl({ hostname, id }: Pick<Claim, 'hostname' | 'id'>): string {
  return `https://${hostname}/.well-known/${id}.txt`;
}

/**
 * Whether a name that leads here is enough for a link domain. Not where strangers may sign up: records that lead here
 * are set before the name is added, stay behind, or stand for every name below another, and the first to add such a name
 * would get it.
 */
export function isRoutingProof(): boolean {
  return config.domainProof === 'auto' ? config.signUp !== 'open' : config.domainProof === 'any';
}
