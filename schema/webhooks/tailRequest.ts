import { EVENT_TYPES, type EventType } from '../../src/events/catalogue.ts';
import { type FieldProblem, validationFailed } from '../../src/kernel/errors.ts';
import { isId } from '../../src/kernel/ids.ts';
import type { TailRequest } from '../../src/live/eventStreamService.ts';
import { didYouMean } from '../didYouMean.ts';

/** The arguments of `eventsSince`, and the parameters of the stream. */
export interface TailArgs {
  projectId: string;
  types?: string | null;
  linkId?: string | null;
  after?: string | null;
}

const TYPES = Object.keys(EVENT_TYPES);
const EVERY_TYPE = '*';

/** What the arguments ask for. Throws `validation_failed` with every type that does not exist, and for an `after` that is no event. */
export function tailRequestOf({ projectId, types, linkId = null, after = null }: TailArgs): TailRequest {
  const wanted = types?.split(',').map((type) => type.trim()) ?? [EVERY_TYPE];
  const problems: FieldProblem[] = wanted
    .filter((type) => type !== EVERY_TYPE && !TYPES.includes(type))
    .map((type) => ({ path: 'types', message: unknownType(type) }));
  if (after !== null && !isId('evt', after)) {
    const message = 'Must be the id of an event (evt_…), as the stream sent it; as a parameter or in Last-Event-ID.';
    problems.push({ path: 'after', message });
  }
  if (problems.length > 0) throw validationFailed(problems);
  const isEvery = wanted.includes(EVERY_TYPE);
  return { projectId, types: isEvery ? null : ([...new Set(wanted)] as EventType[]), linkId, afterId: after };
}

function unknownType(type: string): string {
  if (type === '') return 'Has an empty entry. Give event types with commas between them, or *.';
  return `${type.slice(0, 100)} is no event type.${didYouMean(type, TYPES)} See /api/v1/openapi.json for all of them.`;
}
