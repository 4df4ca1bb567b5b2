import { inTransaction } from '../../src/db/transactions.ts';
import type { EventType } from '../../src/events/catalogue.ts';
import { type EventScope, recordEvents } from '../../src/events/recordEvent.ts';
import { sampleEvent } from '../../src/webhooks/samples.ts';

type Raising = Pick<EventScope, 'teamId' | 'projectId'> & Partial<EventScope>;

/** Events as if that many things had happened at the present moment of the clock; gives their ids. */
export async function raiseEvents(
  { teamId, projectId, linkId, tagIds, trafficClass }: Raising,
  count: number,
  type: EventType = 'link.created',
): Promise<string[]> {
  const sample = sampleEvent(type, projectId === null ? {} : { projectId });
  const scope = { teamId, projectId, linkId: linkId ?? null, tagIds: tagIds ?? [], trafficClass: trafficClass ?? null };
  const made = await inTransaction((transaction) =>
    recordEvents(
      transaction,
      Array.from({ length: count }, () => ({ ...sample, ...scope })),
    ),
  );
  return made.map(({ id }) => id);
}
