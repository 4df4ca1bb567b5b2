import { inList, inListValue, limitInOrder } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { type KeysetPosition, type Order, rangeSql, type Search } from '../db/paging.ts';
import { type Bind, buildQuery } from '../db/query.ts';
import type { TrafficClass } from '../routing/trafficReason.ts';
import { DIMENSIONS, type Dimension } from './dimensions.ts';

/** A stored click. */
export interface ListedClick {
  id: string;
  occurredAt: Date;
  linkId: string;
  domain: string;
  slug: string;
  trafficClass: TrafficClass;
  trafficReason: string | null;
  country: string | null;
  region: string | null;
  city: string | null;
  platform: string;
  device: string;
  browser: string | null;
  language: string | null;
  referrerHost: string | null;
  /** Keyed hash, see `Click`. */
  visitor: string;
}

/** Clicks whose key in `dimension` is one of `keys`, or with `isExcluding` all others. */
export interface ClickTest {
  dimension: Dimension | 'traffic_class';
  keys: readonly string[];
  isExcluding: boolean;
}

/** Clicks of a project from `fromMs` up to but without `toMs` that pass all tests. */
export interface ClickSearch {
  projectId: string;
  fromMs: number;
  toMs: number;
  tests: readonly ClickTest[];
}

export const NEWEST_FIRST: Order = { column: 'occurred_at', kind: 'time', hasNulls: false, direction: 'DESC' };

/**
 * Clicks that are examined one after the other, 100,000 together, which takes some hundred milliseconds: there is no index for each
 * filter, because every click would be written to all of them. The first slices suffice for frequent values.
 */
const SLICES = [1_000, 9_000, 30_000, 60_000];

/** A click with its place in the order of time. */
export type FoundClick = ListedClick & { value: Date };

/** The position of a click. */
interface Moment {
  value: Date;
  id: string;
}

/** The clicks after a position up to another. */
interface Span {
  after: Moment;
  through: Moment;
}

/** The newest clicks after a position, at most `count`, among as many of the project's next clicks as the slices have. */
export async function searchClicks(
  search: ClickSearch,
  after: KeysetPosition | null,
  count: number,
  slices: readonly number[] = SLICES,
): Promise<Search<FoundClick>> {
  const rows: FoundClick[] = [];
  let span: Span = { after: startOf(search, after), through: edge(search.fromMs) };
  if (search.tests.length === 0) return { rows: await readClicks(search, span, count), end: null };
  for (const size of slices) {
    // Before the rows: clicks that come meanwhile must not move the end, or some would be listed twice.
    const end = await positionAfter(search, span, size);
    rows.push(...(await readClicks(search, end ? { ...span, through: end } : span, count - rows.length)));
    if (!end || rows.length === count) return { rows, end: null };
    span = { ...span, after: end };
  }
  return { rows, end: span.after };
}

/** The position from which clicks are listed: that of a cursor, but never after the end of the range. */
function startOf({ toMs }: ClickSearch, after: KeysetPosition | null): Moment {
  const start = edge(toMs);
  return after?.value instanceof Date && after.value < start.value ? { ...after, value: after.value } : start;
}

/** A position before all clicks of a moment: no click has an empty id. */
function edge(atMs: number): Moment {
  return { value: new Date(atMs), id: '' };
}

const COLUMNS = `id, occurred_at AS value, link_id AS "linkId", domain, slug, traffic_class AS "trafficClass",
  traffic_reason AS "trafficReason", country, region, city, platform, device, browser, language,
  referrer_host AS "referrerHost", visitor`;

async function readClicks(search: ClickSearch, span: Span, count: number): Promise<FoundClick[]> {
  const rows = await buildQuery<Omit<FoundClick, 'value' | 'occurredAt'> & { value: string | Date }>(
    (bind) =>
      `SELECT ${COLUMNS} FROM ${clicksWithin(search, span, bind)}${search.tests.map((test) => ` AND ${testSql(test, bind)}`).join('')}
       ORDER BY occurred_at DESC, id DESC ${limitInOrder(count)}`,
  );
  return rows.map(({ value, ...click }) => ({ ...click, occurredAt: new Date(value), value: new Date(value) }));
}

/** The position of the click with this number in a range, before any tests; null when the range is shorter. */
async function positionAfter(search: ClickSearch, span: Span, number: number): Promise<Moment | null> {
  const [row] = await buildQuery<{ id: string; value: string | Date }>(
    (bind) =>
      `SELECT id, occurred_at AS value FROM ${clicksWithin(search, span, bind)}
       ORDER BY occurred_at DESC, id DESC ${limitInOrder(1)} OFFSET ${number - 1}`,
  );
  return row ? { id: row.id, value: new Date(row.value) } : null;
}

/** The times stand apart too, because PostgreSQL cannot estimate how many rows a row comparison matches. */
function clicksWithin({ projectId }: ClickSearch, { after, through }: Span, bind: Bind): string {
  const time = ({ value }: Moment) => bind(sqlTime(value.getTime()));
  return `clicks WHERE project_id = ${bind(projectId)} AND occurred_at <= ${time(after)} AND occurred_at >= ${time(through)}
    AND ${rangeSql(NEWEST_FIRST, { areNulls: false, after, through }, bind)}`;
}

function testSql({ dimension, keys, isExcluding }: ClickTest, bind: Bind): string {
  const column = dimension === 'traffic_class' ? dimension : DIMENSIONS[dimension];
  // The unknown key is the empty one.
  const isOne = inList(`COALESCE(${column}, '')`, bind(inListValue(keys)));
  return isExcluding ? `NOT (${isOne})` : isOne;
}
