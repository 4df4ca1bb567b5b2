import { type Dialect, dialect } from '../db/connection/database.ts';
import type { ColumnKind } from '../db/dialects.ts';
import type { ProjectTable } from '../db/projectRows.ts';
import { queryPrepared } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { snakeCase } from '../kernel/wire.ts';
import { yieldToEventLoop } from '../kernel/yield.ts';
import { addToBacklog } from './backlogStore.ts';
import { withBoundedValues } from './boundedValues.ts';
import { type Click, encodeClick, PLACES } from './click.ts';
import { addToLinks, addToUnlimitedLinks, type Drained } from './linkCountStore.ts';
import { storeMatchClicks } from './matchClickStore.ts';

/**
 * Writes clicks and all their counts in one transaction, and returns how many were new. A click whose id is stored already
 * changes nothing, so an interrupted call can be repeated. `listening`: whether a project has a webhook or stream that wants its
 * clicks, which are then marked for `collectTraffic`.
 */
export async function storeClicks(
  clicks: readonly Click[],
  { listening, journal = null }: { listening: IsListening; journal?: string | null },
): Promise<number> {
  if (clicks.length === 0) return 0;
  return inTransaction((transaction) => writeClicks(clicks, listening, transaction, { isDrained: true, journal }));
}

/**
 * The same within a transaction. `unlimited`: the ids of clicks that do not count against a click limit. `isDrained`: the caller
 * adds collected counts to the links, by `foldLinkCounts`. `journal`: the name of the journal from which the clicks come.
 */
export async function writeClicks(
  clicks: readonly Click[],
  listening: IsListening,
  transaction: Transaction,
  { unlimited = NOBODY, ...drained }: { unlimited?: ReadonlySet<string> } & Drained = {},
): Promise<number> {
  const distinct = [...new Map(clicks.map((click) => [click.id, click])).values()];
  const added = await insertClicks(distinct, listening, transaction);
  await addToBacklog(added, transaction);
  if (unlimited.size === 0) await addToLinks(added, transaction, drained);
  else {
    const [free = [], counted = []] = [true, false].map((is) => added.filter(({ id }) => unlimited.has(id) === is));
    await addToLinks(counted, transaction);
    await addToUnlimitedLinks(free, transaction);
  }
  await storeMatchClicks(added, transaction);
  return added.length;
}

const NOBODY: ReadonlySet<string> = new Set();

/** The end of the year 9999: both stores write years with four digits. */
export const LATEST_MS = 253_402_300_799_999;

/** Rows between two checks of the time. */
const ROWS_PER_SLICE = 100;

export type IsListening = (projectId: string) => boolean;

/** SQL for the value at an index of a row, as its column stores it. */
type ValueAt = (place: number) => string;

const text: ValueAt = (place) => `value ->> ${place}`;

/** How a statement reads rows from its JSON parameter, and converts their values. */
const WORDS: Record<Dialect, { rows: string; time: ValueAt; json: ValueAt; flag: ValueAt }> = {
  sqlite: {
    // jsonb_each is three times as fast as json_each, which renders each element only to parse it again.
    rows: 'jsonb_each($1)',
    time: (place) =>
      `printf('%s.%03d +00:00', strftime('%Y-%m-%d %H:%M:%S', (value ->> ${place}) / 1000, 'unixepoch'), (value ->> ${place}) % 1000)`,
    // JSON is stored as text.
    json: text,
    flag: text,
  },
  postgres: {
    rows: 'jsonb_array_elements(CAST($1 AS JSONB)) AS listed(value)',
    time: (place) => `TIMESTAMPTZ 'epoch' + CAST(value ->> ${place} AS BIGINT) * INTERVAL '1 millisecond'`,
    json: (place) => `CAST(value ->> ${place} AS JSON)`,
    flag: (place) => `CAST(value ->> ${place} AS BOOLEAN)`,
  },
};

/** The index of the extra value at the end of a row: whether the click waits for `collectTraffic`. */
const UNCOLLECTED = Object.keys(PLACES).length + 1;

/** Not in `clicks`: the team is the project's, and details of the device are kept for matching only (`storeMatchClicks`). */
const ELSEWHERE: ReadonlySet<keyof Click> = new Set(['teamId', 'osVersion', 'deviceModel']);

/** Fields with a column of the same name. */
const STORED = (Object.keys(PLACES) as (keyof Click)[]).filter((field) => !ELSEWHERE.has(field));

/** Of fields that are not text. */
const KINDS: Partial<Record<keyof Click, ColumnKind>> = { occurredAt: 'time', utm: 'json', tagIds: 'json' };

/** SQL for what is shown of a visitor: enough to tell the visitors of a day apart, and too little to look one up elsewhere. */
export const SHOWN_VISITOR = 'substr(visitor, 1, 6)';

/** What archives have of clicks: everything but the hash of the address. */
export const ARCHIVED_CLICKS: ProjectTable = {
  name: 'clicks',
  columns: Object.fromEntries(
    STORED.filter((field) => field !== 'addressHash').map((field) => [snakeCase(field), KINDS[field] ?? 'text']),
  ),
  expressions: { visitor: SHOWN_VISITOR },
};

function insertion(): string {
  const { rows, time, json, flag } = WORDS[dialect()];
  const special: Partial<Record<keyof Click, ValueAt>> = { occurredAt: time, utm: json, tagIds: json };
  const columns = [...STORED.map(snakeCase), 'uncollected'];
  const values = [...STORED.map((field) => (special[field] ?? text)(PLACES[field])), flag(UNCOLLECTED)];
  return `INSERT INTO clicks (${columns.join(', ')}) SELECT ${values.join(', ')}
    FROM ${rows} WHERE true ON CONFLICT (id) DO NOTHING RETURNING id`;
}

/**
 * Inserts clicks with distinct ids and returns those that were not stored yet. No lock is taken: processes that store other
 * clicks of the same project go on, and one that stores the same click waits until this transaction has ended. A row travels
 * as its journal line with one more value.
 */
async function insertClicks(clicks: Click[], listening: IsListening, transaction: Transaction): Promise<Click[]> {
  const rows = await queryPrepared<{ id: string }>(insertion(), [await rowsOf(clicks, listening)], transaction);
  if (rows.length === clicks.length) return clicks;
  const added = new Set(rows.map(({ id }) => id));
  return clicks.filter(({ id }) => added.has(id));
}

/** A JSON list of the rows. */
async function rowsOf(clicks: Click[], listening: IsListening): Promise<string> {
  const rows: string[] = [];
  const yieldNow = yieldToEventLoop();
  for (const click of clicks) {
    // SQLite would accept anything as a time.
    if (click.occurredAt < 0 || click.occurredAt > LATEST_MS)
      throw new RangeError(`Not a storable time: ${click.occurredAt}`);
    const isAwaited = click.trafficClass !== 'prefetch' && listening(click.projectId);
    rows.push(`${encodeClick(withBoundedValues(click)).slice(0, -1)},${isAwaited}]`);
    if (rows.length % ROWS_PER_SLICE === 0) await yieldNow();
  }
  return `[${rows.join(',')}]`;
}
