import type { Domain } from '../models/Domain.ts';
import type { Finding } from './Finding.ts';
import type { Proof } from './proof.ts';

/** Another row for the same host name. */
export interface Rival {
  id: string;
  kind: Domain['kind'];
  /** Whether it is verified, and whether it still can be. Null: it never was, or no more. */
  holds: 'verified' | 'failing' | null;
  /** The proof that counted last; null: it never was verified. */
  by: Proof | null;
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

/**
 * Whose domain it is, going by what was found and who else wants it: docs/decisions/0023-domains.md. `isRoutingProof`:
 * a name that leads here is enough where nobody else wants it.
 */
export function judge(
  claim: Claim,
  finding: Finding,
  { rivals, wasOfOthers }: Surroundings,
  isRoutingProof: boolean,
): Verdict {
  const [by] = finding.proofs;
  if (by === undefined) return { kind: finding.isOurFault ? 'undecided' : 'failed', problem: finding.problem };
  // Whoever has it keeps it by any proof.
  if (claim.verifiedAt !== null) return { kind: 'proven', by, takenFrom: [] };
  if (rivals.some((rival) => isSafeFrom(claim, rival))) return { kind: 'failed', problem: heldProblem(claim) };
  const holders = rivals.filter((rival) => rival.holds !== null && isInTheWay(claim, rival));
  const isContested = wasOfOthers || rivals.some(({ isSameTeam }) => !isSameTeam);
  const isUncontestedProof = by === 'file' || (isRoutingProof && !isContested);
  const isEnough = by === 'txt' || (holders.length === 0 && isUncontestedProof);
  if (!isEnough) return { kind: 'failed', problem: txtProblem(claim, isContested) };
  return { kind: 'proven', by, takenFrom: holders.map(({ id }) => id) };
}

/**
 * Whether a rival keeps the name whatever the claim proves. Its own TXT record makes it safe, as long as that stands: a
 * name that leads here, or a web server that serves a file, says less than the DNS of the name. Projects of one team take
 * nothing from each other: whoever may delete a domain there can.
 */
export function isSafeFrom(claim: Pick<Claim, 'kind'>, rival: Rival): boolean {
  return rival.holds === 'verified' && isInTheWay(claim, rival) && (rival.isSameTeam || rival.by === 'txt');
}

/** Pages that open apps may be verified by several projects of a team; short links are of one project. */
function isInTheWay(claim: Pick<Domain, 'kind'>, rival: Pick<Rival, 'kind' | 'isSameTeam'>): boolean {
  return !rival.isSameTeam || (claim.kind === 'link' && rival.kind === 'link');
}

/** That it is somebody else's: whose, is not told. */
export function heldProblem({ hostname }: Pick<Domain, 'hostname'>): string {
  return `${hostname} is verified elsewhere in this service. It has to be removed there first.`;
}

function txtProblem({ hostname }: Pick<Domain, 'hostname'>, isContested: boolean): string {
  const why = isContested ? ', but somebody else added it to this service too' : '';
  return `${hostname} leads here already${why}: only the TXT record proves that it is yours. Add it.`;
}
