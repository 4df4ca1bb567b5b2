import type { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';

/** What every note about a link says. */
export function aboutLink({ id, domain, slug }: Link, project: Pick<Project, 'id' | 'teamId'>) {
  return { teamId: project.teamId, projectId: project.id, subjectId: id, subjectName: `${domain}/${slug}` };
}
