import type { Alert } from '../models/Alert.ts';
import type { VerificationRecord } from '../models/Domain.ts';
import type { CheckFacts } from '../models/HealthCheck.ts';

/** The fields that a presentation of an alert needs; an `Alert` has them. */
export type AlertFacts = Pick<
  Alert,
  'id' | 'projectId' | 'kind' | 'severity' | 'title' | 'message' | 'linkId' | 'webhookId' | 'details'
> &
  Pick<Alert, 'acknowledgedAt' | 'resolvedAt' | 'createdAt' | 'updatedAt'>;

/** An alert as webhooks show it. */
export function presentAlert(alert: AlertFacts) {
  return {
    id: alert.id,
    project_id: alert.projectId,
    kind: alert.kind,
    severity: alert.severity,
    title: alert.title,
    message: alert.message,
    link_id: alert.linkId,
    webhook_id: alert.webhookId,
    details: alert.details,
    acknowledged_at: alert.acknowledgedAt?.toISOString() ?? null,
    resolved_at: alert.resolvedAt?.toISOString() ?? null,
    created_at: alert.createdAt.toISOString(),
    updated_at: alert.updatedAt.toISOString(),
  };
}

/** The fields that a presentation of a domain needs. */
export interface DomainFacts {
  id: string;
  projectId: string;
  hostname: string;
  kind: 'link' | 'web';
  status: 'pending' | 'verified' | 'failing';
  /** The DNS records, and for web domains the file, that the owner has to set up. */
  verification: VerificationRecord[];
  /** The problem that the last check found, or null. */
  problem: string | null;
  checkedAt: Date | null;
  verifiedAt: Date | null;
  rootDestination: string | null;
  notFoundDestination: string | null;
  expiredDestination: string | null;
  managedBy: string | null;
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
    managed_by: domain.managedBy,
    created_at: domain.createdAt.toISOString(),
    updated_at: domain.updatedAt.toISOString(),
  };
}

/** The data of `health.failed` and `health.recovered`: the checks whose status changed. */
export function presentHealth(checks: CheckFacts[]) {
  return {
    checks: checks.map(({ name, status, message, since }) => ({
      name,
      status,
      message,
      since: since?.toISOString() ?? null,
    })),
  };
}
