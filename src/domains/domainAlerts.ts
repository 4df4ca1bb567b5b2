import type { NewAlert } from '../alerts/raiseAlert.ts';
import type { Domain } from '../models/Domain.ts';

/** Names what an alert about a domain that fails is about. */
export function failingIncident({ id }: Pick<Domain, 'id'>): string {
  return `domain:${id}`;
}

/** … and one that another team has now. */
export function takenIncident({ id }: Pick<Domain, 'id'>): string {
  return `domain_taken:${id}`;
}

/** A verified domain is so no more. */
export function newFailingAlert(domain: Domain, teamId: string): NewAlert {
  const { hostname, kind } = domain;
  const effect = kind === 'link' ? ' Its links are followed as before where visitors still reach this service.' : '';
  return {
    ...common(domain, teamId),
    incident: failingIncident(domain),
    title: `${hostname} can no longer be verified`,
    message:
      `${domain.problem ?? ''}${effect} As long as this lasts, whoever proves by a TXT record that the name is theirs may take it.`.trim(),
  };
}

/** Somebody else proved that the name is theirs. */
export function newTakenAlert(domain: Domain, teamId: string): NewAlert {
  const { hostname, kind } = domain;
  const effect = kind === 'link' ? ' Its links are kept, but not followed.' : '';
  return {
    ...common(domain, teamId),
    incident: takenIncident(domain),
    title: `${hostname} is no longer yours here`,
    message: `It could not be verified any more, and its TXT record proves it to be somebody else's now.${effect} If the name is yours, set your own TXT record and verify it again when the other has been removed.`,
  };
}

function common({ id, projectId, hostname, kind, status }: Domain, teamId: string) {
  return {
    teamId,
    projectId,
    kind: 'domain' as const,
    severity: 'critical' as const,
    details: { domain_id: id, hostname, domain_kind: kind, status },
  };
}
