import { type Dialect, dialect } from '../db/database.ts';
import { selectBound, selectPrepared } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { sliced } from '../kernel/sliced.ts';
import { snakeCase } from '../kernel/snakeCase.ts';
import { withBoundedValues } from './boundedValues.ts';
import { type Click, encodeClick, PLACES } from './click.ts';

/** The end of the year 9999, which is as far as both stores write a year with four digits. */
const LATEST_MS = 253_402_300_799_999;

/** Lines between two looks at the time. */
const PIECE = 100;

export type Listening = (projectId: string) => boolean;

/** The value at a place of a row, as a column takes it. */
type ValueAt = (place: number) => string;

const text: ValueAt = (place) => `value ->> ${place}`;

/** How a statement reads the rows of its parameter, and what it makes of them. */
const WORDS: Record<Dialect, { rows: string; known: string; time: ValueAt; json: ValueAt; flag: ValueAt }> = {
  sqlite: {
    // jsonb_each: three times as fast as json_each, which renders each element for it to be parsed again.
    rows: 'jsonb_each($1)',
    known: 'SELECT clicks.id FROM json_each($1) AS listed CROSS JOIN clicks WHERE clicks.id = listed.value',
    time: (place) =>
      `printf('%s.%03d +00:00', strftime('%Y-%m-%d %H:%M:%S', (value ->> ${place}) / 1000, 'unixepoch'), (value ->> ${place}) % 1000)`,
    // JSON is text.
    json: text,
    flag: text,
  },
  postgres: {
    rows: 'jsonb_array_elements(CAST($1 AS JSONB)) AS listed(value)',
    // Looked up one by one: else a table that was never analysed is read as a whole each time.
    known: `SELECT known.id FROM jsonb_array_elements_text(CAST($1 AS JSONB)) AS listed(value)
      CROSS JOIN LATERAL (SELECT id FROM clicks WHERE id = listed.value LIMIT 1) AS known`,
    time: (place) => `TIMESTAMPTZ 'epoch' + CAST(value ->> ${place} AS BIGINT) * INTERVAL '1 millisecond'`,
    json: (place) => `CAST(value ->> ${place} AS JSON)`,
    flag: (place) => `CAST(value ->> ${place} AS BOOLEAN)`,
  },
};

/** What stands behind the values of a click in its row. */
const UNCOLLECTED = Object.keys(PLACES).length + 1;

/** The team of a click is its project's; what tells devices apart is kept for matching alone: see storeMatchClicks. */
const ELSEWHERE: ReadonlySet<keyof Click> = new Set(['teamId', 'osVersion', 'deviceModel']);

/** Fields that are stored, in columns of the same names. */
const STORED = (Object.keys(PLACES) as (keyof Click)[]).filter((field) => !ELSEWHERE.has(field));

function insertion(): string {
  const { rows, time, json, flag } = WORDS[dialect()];
  const special: Partial<Record<keyof Click, ValueAt>> = { occurredAt: time, utm: json, tagIds: json };
  const columns = [...STORED.map(snakeCase), 'uncollected'];
  const values = [...STORED.map((field) => (special[field] ?? text)(PLACES[field])), flag(UNCOLLECTED)];
  return `INSERT INTO clicks (${columns.join(', ')}) SELECT ${values.join(', ')}
    FROM ${rows} WHERE true ON CONFLICT (id) DO NOTHING`;
}

/**
 * Inserts clicks of different ids and gives those that were not there yet. Nobody else may insert the same ones
 * meanwhile. A row travels as the line of the journal, with one value more.
 */
export async function insertClicks(clicks: Click[], listening: Listening, transaction: Transaction): Promise<Click[]> {
  const known = await storedAmong(clicks, transaction);
  const added = known.size === 0 ? clicks : clicks.filter(({ id }) => !known.has(id));
  if (added.length === 0) return added;
  await selectPrepared(insertion(), [await rowsOf(added, listening)], transaction);
  return added;
}

/** A JSON list of the lines, made little by little: redirects are answered in between. */
async function rowsOf(clicks: Click[], listening: Listening): Promise<string> {
  const rows: string[] = [];
  const giveWay = sliced();
  for (const click of clicks) {
    // SQLite would take anything for a time.
    if (click.occurredAt < 0 || click.occurredAt > LATEST_MS) throw new RangeError(`No time: ${click.occurredAt}`);
    const isAwaited = click.trafficClass !== 'prefetch' && listening(click.projectId);
    rows.push(`${encodeClick(withBoundedValues(click)).slice(0, -1)},${isAwaited}]`);
    if (rows.length % PIECE === 0) await giveWay();
  }
  return `[${rows.join(',')}]`;
}

async function storedAmong(clicks: Click[], transaction: Transaction): Promise<Set<string>> {
  const rows = await selectBound<{ id: string }>(
    WORDS[dialect()].known,
    [JSON.stringify(clicks.map(({ id }) => id))],
    transaction,
  );
  return new Set(rows.map(({ id }) => id));
}
