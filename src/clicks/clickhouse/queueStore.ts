import { ofLiveProject } from '../../access/notDeleted.ts';
import { deleteOldest } from '../../db/deleteOldest.ts';
import { rowLock } from '../../db/dialects.ts';
import { insertInto, sqlTime, withJsonRows } from '../../db/jsonRows.ts';
import { queryRaw } from '../../db/query.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { inTransaction } from '../../db/transactions.ts';
import { clock, DAY_MS } from '../../kernel/clock.ts';
import type { TrafficClass } from '../../routing/trafficReason.ts';
import { withBoundedValues } from '../boundedValues.ts';
import { type Click, decodeClick, encodeClick } from '../click.ts';
import type { CollectedClick } from '../clickEvent.ts';
import type { IsListening } from '../clickStore.ts';
import { addToLinks, addToUnlimitedLinks } from '../linkCountStore.ts';
import { storeMatchClicks } from '../matchClickStore.ts';
import { insertClicks } from './insertClicks.ts';

/** What a click in `click_queue` waits for: to be stored in ClickHouse, or to become an event. */
type Purpose = 'store' | 'event';

const COLUMNS = {
  purpose: 'text',
  id: 'text',
  project_id: 'text',
  occurred_ms: 'integer',
  traffic_class: 'text',
  traffic_reason: 'text',
  version: 'integer',
  line: 'text',
} as const;

/** Versions of a click's row in ClickHouse; the greatest counts. */
export const AS_IT_CAME = 1;
export const RECLASSED = 2;

/** Puts clicks into the queue and returns the ids of those that were not there yet. */
export async function addToQueue(
  purpose: Purpose,
  clicks: readonly Click[],
  version: number,
  transaction: Transaction,
): Promise<Set<string>> {
  const rows = clicks.map((click) => [
    purpose,
    click.id,
    click.projectId,
    click.occurredAt,
    click.trafficClass,
    click.trafficReason,
    version,
    encodeClick(click),
  ]);
  const options = { transaction, onConflict: 'ON CONFLICT (purpose, id) DO NOTHING', returning: 'id' };
  return new Set((await insertInto<{ id: string }>('click_queue', COLUMNS, rows, options)).map(({ id }) => id));
}

/** The clicks that a webhook or a stream waits for. */
export function awaited(clicks: readonly Click[], listening: IsListening): Click[] {
  return clicks.filter(({ trafficClass, projectId }) => trafficClass !== 'prefetch' && listening(projectId));
}

/** Counts clicks in a transaction of the store and puts them into the queue to ClickHouse. */
export async function enqueue(
  clicks: readonly Click[],
  listening: IsListening,
  transaction: Transaction,
  unlimited: ReadonlySet<string>,
): Promise<void> {
  const queued = await addToQueue('store', clicks.map(withBoundedValues), AS_IT_CAME, transaction);
  const added = clicks.filter(({ id }) => queued.has(id));
  const [free = [], counted = []] = [true, false].map((is) => added.filter(({ id }) => unlimited.has(id) === is));
  await addToLinks(counted, transaction);
  await addToUnlimitedLinks(free, transaction);
  await storeMatchClicks(added, transaction);
  await addToQueue('event', awaited(added, listening), AS_IT_CAME, transaction);
}

interface QueuedRow {
  id: string;
  traffic_class: TrafficClass;
  traffic_reason: string | null;
  version: number;
  line: string;
}

/** A click in the class that it has now. Null for a line that nothing could have written. */
function queuedClick({ line, traffic_class, traffic_reason }: QueuedRow): Click | null {
  const click = decodeClick(line);
  return click && { ...click, trafficClass: traffic_class, trafficReason: traffic_reason };
}

/** Several processes may do this at once. Clicks of a deleted project wait until it is restored. */
export async function claimAwaited(count: number, transaction: Transaction): Promise<CollectedClick[]> {
  const rows = await queryRaw<QueuedRow>(
    `SELECT id, traffic_class, traffic_reason, version, line FROM click_queue
     WHERE purpose = 'event' AND ${ofLiveProject('click_queue.project_id')} ORDER BY occurred_ms LIMIT ${count}
     ${rowLock('FOR UPDATE SKIP LOCKED')}`,
    [],
    transaction,
  );
  await removeFromQueue('event', rows, transaction);
  return rows.flatMap((row) => {
    const click = queuedClick(row);
    return click ? [collectedClick(click)] : [];
  });
}

function collectedClick(click: Click): CollectedClick {
  const { projectId, linkId, occurredAt, trafficClass, referrerHost, platform, device, utm, ...rest } = click;
  return {
    ...rest,
    project_id: projectId,
    link_id: linkId,
    occurred_at: new Date(occurredAt),
    traffic_class: trafficClass as CollectedClick['traffic_class'],
    platform: platform as CollectedClick['platform'],
    device: device as CollectedClick['device'],
    referrer_host: referrerHost,
    utm: utm as CollectedClick['utm'],
  };
}

async function removeFromQueue(
  purpose: Purpose,
  rows: readonly { id: string }[],
  transaction: Transaction,
): Promise<void> {
  await withJsonRows(
    { id: 'text' },
    rows.map(({ id }) => [id]),
    `DELETE FROM click_queue WHERE purpose = '${purpose}' AND id IN (SELECT id FROM given)`,
    transaction,
  );
}

/** Clicks that wait for their events get another class. */
export async function reclassQueued(
  ids: readonly string[],
  { trafficClass, trafficReason }: Pick<Click, 'trafficClass' | 'trafficReason'>,
  transaction: Transaction,
): Promise<void> {
  await withJsonRows(
    { id: 'text' },
    ids.map((id) => [id]),
    `UPDATE click_queue SET traffic_class = $2, traffic_reason = $3
     WHERE purpose = 'event' AND id IN (SELECT id FROM given)`,
    transaction,
    [trafficClass, trafficReason],
  );
}

/** Clicks of one insert. */
const BATCH = 5000;

/** Whether clicks wait to be stored in ClickHouse. */
export async function hasQueued(): Promise<boolean> {
  return (await queryRaw("SELECT 1 AS one FROM click_queue WHERE purpose = 'store' LIMIT 1", [])).length > 0;
}

/**
 * Moves what waits in the queue to ClickHouse. Two processes that move the same change nothing, so no lock is held meanwhile. Throws
 * `ClicksUnavailable`; what is not there stays in the queue.
 */
export async function moveQueued(): Promise<void> {
  for (;;) {
    const rows = await queryRaw<QueuedRow>(
      `SELECT id, traffic_class, traffic_reason, version, line FROM click_queue WHERE purpose = 'store'
       ORDER BY occurred_ms LIMIT ${BATCH}`,
      [],
    );
    for (const version of new Set(rows.map((row) => row.version))) {
      const clicks = rows.filter((row) => row.version === version).flatMap((row) => queuedClick(row) ?? []);
      await insertClicks(clicks, version);
    }
    await inTransaction((transaction) => removeFromQueue('store', rows, transaction));
    if (rows.length < BATCH) return;
  }
}

/** How long it is remembered of a segment that it is counted, in case that a copy of it comes up. */
const PROGRESS_DAYS = 3;

/** Forgets up to `batch` segments of long ago; returns whether there may be more. */
export async function purgeProgress(batch: number): Promise<boolean> {
  const before = sqlTime(clock.now() - PROGRESS_DAYS * DAY_MS);
  const progress = { table: 'click_progress', where: 'changed_at < $1', values: [before], oldestBy: 'changed_at' };
  return (await deleteOldest({ ...progress, batch })) === batch;
}
