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

/** … and one that another team had. */
export function gainedIncident({ id }: Pick<Domain, 'id'>): string {
  return `domain_gained:${id}`;
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
  const effect =
    kind === 'link' ? ' Its links are kept, but not followed; a slug that the new holder uses is changed.' : '';
  return {
    ...common(domain, teamId),
    incident: takenIncident(domain),
    title: `${hostname} is no longer yours here`,
    message: `Its TXT record proves that the name is another team's. Yours had none at the last look.${effect} If the name is yours, set your own TXT record, have the other removed from its DNS, and verify it again.`,
  };
}

/** Its TXT record took the name from another team. */
export function newGainedAlert(domain: Domain, teamId: string): NewAlert {
  const { hostname, kind } = domain;
  const effect =
    kind === 'link'
      ? ' Links of that team on it are no longer followed: look for short links that you did not make.'
      : '';
  return {
    ...common(domain, teamId),
    severity: 'warning',
    incident: gainedIncident(domain),
    title: `${hostname} is yours now; another team had it`,
    message: `Your TXT record proves that the name is yours. Another team had verified it here without such a record.${effect} Leave the record where it is: it keeps the name yours.`,
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
