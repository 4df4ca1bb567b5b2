import { ofLiveProject } from '../access/notDeleted.ts';
import { inList, inListValue, limitInOrder, rowLock } from '../db/dialects.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { readProjectRows } from '../db/projectRows.ts';
import { query, queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inIndexOrder } from '../db/transactions.ts';
import { reclassClicks } from './bursts/reclassClicks.ts';
import type { CollectedClick } from './clickEvent.ts';
import { searchClicks } from './clickListStore.ts';
import { ARCHIVED_CLICKS, storeClicks, writeClicks } from './clickStore.ts';
import type { AddressClick, AddressSearch, ClickStore, OriginClick, ReadClick } from './clickStores.ts';
import { LINES_PER_CHUNK } from './journal.ts';

/** Clicks in the table `clicks` of the store, where each has its id as the key: one that is there is counted. */
export const BUILT_IN: ClickStore = {
  linesPerChunk: LINES_PER_CHUNK,
  storeChunk: (clicks, listening, { journal }) => storeClicks(clicks, { listening, journal: journal ?? null }),
  async storedAmong(clicks) {
    const rows = await withJsonRows<{ id: string }>(
      { id: 'text' },
      clicks.map(({ id }) => [id]),
      'SELECT clicks.id FROM given JOIN clicks ON clicks.id = given.id',
    );
    return new Set(rows.map(({ id }) => id));
  },
  async write(clicks, listening, transaction, unlimited) {
    await writeClicks(clicks, listening, transaction, { unlimited });
  },
  claimAwaited,
  search: (search, after, count) => searchClicks(search, after, count),
  async newestIds(projectId, sinceMs, limit) {
    const sql = `SELECT id FROM clicks WHERE project_id = $1 AND occurred_at >= $2 AND traffic_class <> 'prefetch'
      ORDER BY occurred_at DESC, id DESC LIMIT ${limit}`;
    const values = [projectId, sqlTime(sinceMs)];
    const rows = await inIndexOrder((transaction) => queryRaw<{ id: string }>(sql, values, transaction));
    return rows.map(({ id }) => id);
  },
  read: (_projectId, ids) =>
    queryRaw<ReadClick>(
      `SELECT ${SHOWN}, traffic_reason FROM clicks WHERE ${inList('id', '$1')} ORDER BY occurred_at, id`,
      [inListValue(ids)],
    ),
  readOrigins,
  readAddresses,
  async newestTimes() {
    const rows = await query<{ id: string; newest: string | Date | null }>(
      `SELECT id, (SELECT occurred_at FROM clicks WHERE project_id = projects.id ORDER BY occurred_at DESC ${limitInOrder(1)}) AS newest
       FROM projects WHERE deletion_at IS NULL`,
    );
    return new Map(rows.flatMap(({ id, newest }) => (newest === null ? [] : [[id, timeOf(newest)]])));
  },
  reclass: reclassClicks,
  readArchived: (projectId, after, count) => readProjectRows(ARCHIVED_CLICKS, projectId, after, count),
  // All of them are rows of the project.
  forgetProject: async () => {},
  hasClicksOutside: async () => false,
};

/** The columns of `CollectedClick`. */
const SHOWN = `id, project_id, link_id, domain, slug, occurred_at, traffic_class, country, region, city, platform, device,
  browser, language, referrer_host, destination, rule, utm`;

/** Several processes may do this at once. Clicks of a deleted project wait until it is restored. */
export async function claimAwaited(count: number, transaction: Transaction): Promise<CollectedClick[]> {
  const clicks = await query<CollectedClick>(
    `SELECT ${SHOWN} FROM clicks WHERE uncollected = :yes AND ${ofLiveProject('clicks.project_id')}
     ORDER BY occurred_at ${limitInOrder(count)} ${rowLock('FOR UPDATE SKIP LOCKED')}`,
    { yes: true },
    transaction,
  );
  await withJsonRows(
    { id: 'text' },
    clicks.map(({ id }) => [id]),
    'UPDATE clicks SET uncollected = false WHERE id IN (SELECT id FROM given)',
    transaction,
  );
  return clicks;
}

interface OriginRow {
  id: string;
  project_id: string;
  address_hash: string;
  occurred_at: string | Date;
  referrer_host: string | null;
  destination: string | null;
  rule: string | null;
  utm: string | OriginClick['utm'];
}

async function readOrigins(
  ids: readonly string[],
  _projectIds: readonly string[],
  transaction: Transaction,
): Promise<OriginClick[]> {
  const rows = await withJsonRows<OriginRow>(
    { id: 'text' },
    ids.map((id) => [id]),
    // The cross join looks clicks up one by one: without statistics, SQLite would scan the whole table.
    `SELECT clicks.id, project_id, address_hash, occurred_at, referrer_host, destination, rule, utm
     FROM given CROSS JOIN clicks WHERE clicks.id = given.id`,
    transaction,
  );
  return rows.map(({ utm, ...row }) => ({
    id: row.id,
    projectId: row.project_id,
    addressHash: row.address_hash,
    occurredAt: timeOf(row.occurred_at),
    referrerHost: row.referrer_host,
    destination: row.destination,
    rule: row.rule,
    utm: typeof utm === 'string' ? JSON.parse(utm) : utm,
  }));
}

interface AddressRow {
  id: string;
  project_id: string;
  link_id: string;
  address_hash: string;
  occurred_at: string | Date;
  traffic_class: string;
}

const WHICH: Record<AddressSearch['which'], string> = {
  human: `traffic_class = 'human'`,
  observed: `(traffic_class = 'human' OR traffic_reason = 'burst')`,
};

/** By project and time, as the index is. Projects are listed by id, because a join may be planned to read all clicks. */
async function readAddresses(search: AddressSearch): Promise<AddressClick[]> {
  const { projectIds, span, addressHashes, which, order, most } = search;
  if (projectIds.length === 0) return [];
  const rows = await query<AddressRow>(
    `SELECT id, project_id, link_id, address_hash, occurred_at, traffic_class FROM clicks
     WHERE project_id IN (:projectIds) AND occurred_at >= :from AND occurred_at <= :to
       ${addressHashes ? 'AND address_hash IN (:addressHashes)' : ''} AND ${WHICH[which]}
     ORDER BY occurred_at ${order === 'newest' ? 'DESC' : ''} ${limitInOrder(':most')}`,
    {
      projectIds,
      from: sqlTime(span.fromMs),
      to: sqlTime(span.toMs),
      ...(addressHashes ? { addressHashes } : {}),
      most,
    },
  );
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    linkId: row.link_id,
    addressHash: row.address_hash,
    occurredAt: timeOf(row.occurred_at),
    isHuman: row.traffic_class === 'human',
  }));
}

function timeOf(moment: string | Date): number {
  return new Date(moment).getTime();
}
