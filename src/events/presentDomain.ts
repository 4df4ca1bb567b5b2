import type { VerificationRecord } from '../domains/verificationRecords.ts';

/** A domain of a project. */
export interface DomainFacts {
  id: string;
  projectId: string;
  hostname: string;
  kind: 'link' | 'web';
  status: 'pending' | 'verified' | 'failing';
  /** What its owner has to set: DNS records, and for web domains a file. */
  verification: VerificationRecord[];
  /** What the last look found; null: all is well. */
  problem: string | null;
  checkedAt: Date | null;
  verifiedAt: Date | null;
  rootDestination: string | null;
  notFoundDestination: string | null;
  expiredDestination: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A domain as webhooks show it. */
export function presentDomain(domain: DomainFacts) {
  return {
    id: domain.id,
    project_id: domain.projectId,
    hostname: domain.hostname,
    kind: domain.kind,
    status: domain.status,
    verification: domain.verification.map(({ name, type, value, purpose, about, found, isSet }) => ({
      name,
      type,
      value,
      purpose,
      about,
      found,
      is_set: isSet,
    })),
    problem: domain.problem,
    checked_at: domain.checkedAt?.toISOString() ?? null,
    verified_at: domain.verifiedAt?.toISOString() ?? null,
    root_destination: domain.rootDestination,
    not_found_destination: domain.notFoundDestination,
    expired_destination: domain.expiredDestination,
    created_at: domain.createdAt.toISOString(),
    updated_at: domain.updatedAt.toISOString(),
  };
}
