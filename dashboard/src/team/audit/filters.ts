import type { AuditFilters } from './operations.ts';

/** The filters as the address holds them. */
export interface AuditSearch {
  actor?: string | undefined;
  /** Several are separated by commas. */
  action?: string | undefined;
  subject?: string | undefined;
  about_project?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
}

export const NO_FILTERS: Record<keyof AuditSearch, undefined> = {
  actor: undefined,
  action: undefined,
  subject: undefined,
  about_project: undefined,
  created_after: undefined,
  created_before: undefined,
};

export function isFiltered(search: AuditSearch): boolean {
  return (Object.keys(NO_FILTERS) as (keyof AuditSearch)[]).some((name) => search[name]);
}

/** The actions of the address, as far as there are such; all are asked for as long as it is not known which there are. */
export function actionsOf(search: AuditSearch): string[] {
  return search.action?.split(',').filter((action) => /^[a-z_]+\.[a-z_]+$/.test(action)) ?? [];
}

/** What the filters of an address are to the server; times that are none are left out. */
export function filterVariables(teamId: string, search: AuditSearch): AuditFilters {
  const actions = actionsOf(search);
  return {
    teamId,
    actorId: search.actor || null,
    actions: actions.length > 0 ? actions : null,
    subjectId: search.subject || null,
    projectId: search.about_project || null,
    createdAfter: instantOf(search.created_after),
    createdBefore: instantOf(search.created_before),
  };
}

function instantOf(text: string | undefined): string | null {
  const instant = Date.parse(text ?? '');
  return Number.isNaN(instant) ? null : new Date(instant).toISOString();
}
