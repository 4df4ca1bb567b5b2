import type { Domain } from '../../models/Domain.ts';

/** What every note about a domain says; domains know their project alone. */
export function aboutDomain({ id, hostname, projectId }: Domain, { teamId }: { teamId: string }) {
  return { teamId, projectId, subjectId: id, subjectName: hostname };
}
