import type { ApiKey } from '../../models/ApiKey.ts';

/** What every note about a key says; keys know their project alone. */
export function aboutKey({ id, name, projectId }: ApiKey, { teamId }: { teamId: string }) {
  return { teamId, projectId, subjectId: id, subjectName: name };
}
