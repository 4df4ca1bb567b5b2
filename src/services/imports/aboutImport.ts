import type { Import } from '../../models/Import.ts';
import type { Project } from '../../models/Project.ts';

/** What every note about an import says. */
export function aboutImport({ id, teamId }: Project, made: Import) {
  return { teamId, projectId: id, subjectId: made.id, subjectName: null };
}
