import { type Click, decodeClick } from '../clicks/click.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import { log } from '../kernel/log.ts';

/** Clicks of people that an earlier process left in the journal. */
export interface LeftClicks {
  waiting: Click[];
  /** Ids of those that reached the store all the same: the process ended before it could remove their segment. */
  alreadyStored: string[];
}

/** Reads these segments of the journal piece by piece. What cannot be read is passed over: the drain complains of it. */
export async function* readLeftClicks(
  journal: { read(segment: string): AsyncIterable<string[]> },
  segments: readonly string[],
): AsyncGenerator<LeftClicks, void, void> {
  for (const segment of segments) {
    try {
      yield* readSegment(journal.read(segment));
    } catch (error) {
      log.warn({ err: error, segment }, 'clicks of an earlier process are not counted against limits of links yet');
    }
  }
}

/** A segment moves to the store from its beginning on, so behind a piece of which nothing is stored nothing is. */
async function* readSegment(pieces: AsyncIterable<string[]>): AsyncGenerator<LeftClicks, void, void> {
  let mayBeStored = true;
  for await (const lines of pieces) {
    const clicks = lines.map(decodeClick).filter((click) => click !== null);
    const stored: Set<string> = mayBeStored ? await storedAmong(clicks) : new Set();
    mayBeStored &&= clicks.length === 0 || stored.size > 0;
    const people = clicks.filter(({ trafficClass }) => trafficClass === 'human');
    yield {
      waiting: people.filter(({ id }) => !stored.has(id)),
      alreadyStored: people.flatMap(({ id }) => (stored.has(id) ? [id] : [])),
    };
  }
}

async function storedAmong(clicks: readonly Click[]): Promise<Set<string>> {
  const rows = await withJsonRows<{ id: string }>(
    { id: 'text' },
    clicks.map(({ id }) => [id]),
    'SELECT clicks.id FROM given JOIN clicks ON clicks.id = given.id',
  );
  return new Set(rows.map(({ id }) => id));
}
