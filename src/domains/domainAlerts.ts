import type { NewAlert } from '../alerts/raiseAlert.ts';
import type { Domain } from '../models/Domain.ts';

/** The incident of a verified domain that fails its checks. */
export function failingIncident({ id }: Pick<Domain, 'id'>): string {
  return `domain:${id}`;
}

/** The incident of a domain that another team has taken. */
export function takenIncident({ id }: Pick<Domain, 'id'>): string {
  return `domain_taken:${id}`;
}

/** The incident of a domain that was taken from another team. */
export function gainedIncident({ id }: Pick<Domain, 'id'>): string {
  return `domain_gained:${id}`;
}

/** A verified domain can no longer be verified. */
export function newFailingAlert(domain: Domain, teamId: string): NewAlert {
  const { hostname, kind } = domain;
  const effect = kind === 'link' ? ' Its links still work for visitors who reach this service.' : '';
  return {
    ...common(domain, teamId),
    incident: failingIncident(domain),
    title: `${hostname} can no longer be verified`,
    message:
      `${domain.problem ?? ''}${effect} Until this is fixed, another team can take over the name by setting its own TXT record.`.trim(),
  };
}

/** Another team proved that it owns the name. */
export function newTakenAlert(domain: Domain, teamId: string): NewAlert {
  const { hostname, kind } = domain;
  const effect =
    kind === 'link' ? ' Its links are kept, but no longer work; slugs that the new owner also uses are changed.' : '';
  return {
    ...common(domain, teamId),
    incident: takenIncident(domain),
    title: `${hostname} was taken over by another team`,
    message: `The other team proved with a TXT record that it owns the name. Your TXT record was missing at the last check.${effect} If the name is yours, set your TXT record, remove the other one from its DNS, and verify the domain again.`,
  };
}

/** The domain's TXT record took the name from another team. */
export function newGainedAlert(domain: Domain, teamId: string): NewAlert {
  const { hostname, kind } = domain;
  const effect =
    kind === 'link'
      ? ' The links of that team on it no longer work: look for short links that you did not create.'
      : '';
  return {
    ...common(domain, teamId),
    severity: 'warning',
    incident: gainedIncident(domain),
    title: `${hostname} was taken over from another team`,
    message: `Your TXT record proves that the name is yours. Another team had verified it here without one.${effect} Keep the record in place: without it, another team could take over the name.`,
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
