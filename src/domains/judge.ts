import type { Domain } from '../models/Domain.ts';
import type { Finding } from './Finding.ts';
import type { Proof } from './proof.ts';

/** Another row for the same host name. */
export interface Rival {
  id: string;
  kind: Domain['kind'];
  /** Whether it is verified, and whether it still can be. Null: it never was, or no more. */
  holds: 'verified' | 'failing' | null;
  isSameTeam: boolean;
}

export interface Surroundings {
  rivals: Rival[];
  /** A team that is none of ours deleted it when it was verified. */
  wasOfOthers: boolean;
}

/** What a finding means for a domain. */
export type Verdict =
  | { kind: 'proven'; by: Proof; takenFrom: string[] }
  | { kind: 'failed'; problem: string }
  /** It says nothing about the domain. */
  | { kind: 'undecided'; problem: string };

type Claim = Pick<Domain, 'kind' | 'hostname' | 'verifiedAt'>;

/** Whose domain it is, going by what was found and who else wants it: docs/decisions/0023-domains.md. */
export function judge(claim: Claim, finding: Finding, { rivals, wasOfOthers }: Surroundings): Verdict {
  const [by] = finding.proofs;
  if (by === undefined) return { kind: finding.isOurFault ? 'undecided' : 'failed', problem: finding.problem };
  // Whoever has it keeps it by any proof.
  if (claim.verifiedAt !== null) return { kind: 'proven', by, takenFrom: [] };
  const holders = rivals.filter((rival) => rival.holds !== null && isInTheWay(claim, rival));
  if (holders.some(({ holds }) => holds === 'verified')) return { kind: 'failed', problem: heldProblem(claim) };
  const isContested = wasOfOthers || rivals.some(({ isSameTeam }) => !isSameTeam);
  const isEnough = by === 'txt' || (holders.length === 0 && (by === 'file' || !isContested));
  if (!isEnough) return { kind: 'failed', problem: txtProblem(claim) };
  return { kind: 'proven', by, takenFrom: holders.map(({ id }) => id) };
}

/** Pages that open apps may be verified by several projects of a team; short links are of one project. */
export function isInTheWay(claim: Pick<Domain, 'kind'>, rival: Pick<Rival, 'kind' | 'isSameTeam'>): boolean {
  return !rival.isSameTeam || (claim.kind === 'link' && rival.kind === 'link');
}

/** That it is somebody else's: whose, is not told. */
export function heldProblem({ hostname }: Pick<Domain, 'hostname'>): string {
  return `${hostname} is verified elsewhere in this service. It has to be removed there first.`;
}

function txtProblem({ hostname }: Pick<Domain, 'hostname'>): string {
  return `${hostname} leads here already, but somebody else used it before: only the TXT record proves that it is yours. Add it.`;
}
