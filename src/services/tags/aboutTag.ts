import type { Tag } from '../../models/Tag.ts';

/** What every note about a tag says; tags know their project alone. */
export function aboutTag({ id, name, projectId }: Tag, { teamId }: { teamId: string }) {
  return { teamId, projectId, subjectId: id, subjectName: name };
}
