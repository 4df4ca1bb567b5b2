import type { Domain, Seen } from '../models/Domain.ts';

/** Another row for the same host name. */
export interface Rival {
  id: string;
  kind: Domain['kind'];
  /** `failing`: verified, but the last checks failed. Null if it is not verified. */
  holds: 'verified' | 'failing' | null;
  /** The proof of the last successful check; null if there was none. */
  by: Proof | null;
  isSameTeam: boolean;
}

export interface OtherClaims {
  rivals: Rival[];
  /** Another team had verified the name and has lost or deleted it. */
  wasOtherTeams: boolean;
}

/** What the result of a check means for the ownership of a domain. `takenFrom`: ids of the domains that lose the name. */
export type OwnershipDecision =
  | { kind: 'proven'; by: Proof; takenFrom: string[] }
  | { kind: 'failed'; problem: string }
  /** The check was inconclusive. */
  | { kind: 'undecided'; problem: string };

type Claim = Pick<Domain, 'kind' | 'hostname' | 'verifiedAt'>;

/**
 * Decides whether the claim owns its host name, by the proofs that were found and the claims of others (see
 * docs/decisions/0023-domains.md). `isRoutingProof`: a name that points here is sufficient proof if no other team claims it.
 */
export function decideOwnership(
  claim: Claim,
  finding: DomainFinding,
  { rivals, wasOtherTeams }: OtherClaims,
  isRoutingProof: boolean,
): OwnershipDecision {
  const [by] = finding.proofs;
  if (by === undefined) return { kind: finding.isOurFault ? 'undecided' : 'failed', problem: finding.problem };
  // The current owner keeps the name by any proof.
  if (claim.verifiedAt !== null) return { kind: 'proven', by, takenFrom: [] };
  if (rivals.some((rival) => isProtectedFrom(claim, rival))) return { kind: 'failed', problem: heldProblem(claim) };
  const holders = rivals.filter((rival) => rival.holds !== null && isInTheWay(claim, rival));
  const isContested = wasOtherTeams || rivals.some(({ isSameTeam }) => !isSameTeam);
  const isUncontestedProof = by === 'file' || (isRoutingProof && !isContested);
  const isEnough = by === 'txt' || (holders.length === 0 && isUncontestedProof);
  if (!isEnough) return { kind: 'failed', problem: txtProblem(claim, isContested) };
  return { kind: 'proven', by, takenFrom: holders.map(({ id }) => id) };
}

/**
 * Whether a rival keeps the name whatever the claim proves. Its TXT record protects it: a TXT record is stronger evidence of
 * ownership than a name that points here or a file on a web server. Projects of one team never take names from each other,
 * because the team can delete the domain itself.
 */
export function isProtectedFrom(claim: Pick<Claim, 'kind'>, rival: Rival): boolean {
  return rival.holds === 'verified' && isInTheWay(claim, rival) && (rival.isSameTeam || rival.by === 'txt');
}

/** Several projects of a team may verify the same web domain, but only one project may use a name for links. */
function isInTheWay(claim: Pick<Domain, 'kind'>, rival: Pick<Rival, 'kind' | 'isSameTeam'>): boolean {
  return !rival.isSameTeam || (claim.kind === 'link' && rival.kind === 'link');
}

/** The problem when another team holds the name. It does not say which team. */
export function heldProblem({ hostname }: Pick<Domain, 'hostname'>): string {
  return `${hostname} is already verified in another project. It must be deleted there first.`;
}

function txtProblem({ hostname }: Pick<Domain, 'hostname'>, isContested: boolean): string {
  const why = isContested ? ', but another team has added it too' : '';
  return `${hostname} already points to this service${why}, so only the TXT record proves that it is yours. Add it.`;
}

/** The ways to prove the ownership of a host name: see docs/decisions/0023-domains.md. */
export type Proof = 'txt' | 'file' | 'dns';

/** The result of one check of a domain. */
export interface DomainFinding {
  proofs: Proof[];
  /** If there is no proof: what was found instead and what to do about it, as sentences. */
  problem: string;
  /** There is no proof, but an internal error may be the cause, so the check is inconclusive. */
  isOurFault: boolean;
  seen: Seen;
}
