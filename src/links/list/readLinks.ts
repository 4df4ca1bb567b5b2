import { lookedUpFirst } from '../../db/dialects.ts';
import { type KeysetPosition, type KeysetRange, type Order, type RowPosition, rangeSql } from '../../db/paging.ts';
import { type Condition, countUpTo, type Source, smallestSource } from './condition.ts';
import type { LinkQuery } from './linkFilter.ts';
import {
  type LinkScan,
  planScan,
  positionAfter,
  positionColumns,
  rangeSource,
  rangesLeft,
  readPositions,
  readRange,
} from './linkScan.ts';

/**
 * How many links are read in order before another plan is considered; the second number only if the first found something.
 * When one link in two hundred passes the filter, these fill a page of 50 in about 20 ms.
 */
const TRIAL_SIZES = [1_000, 10_000];

/**
 * The most links that are looked up and sorted for one page, which takes about a second. A condition that more links satisfy
 * is so frequent that reading on in order meets them soon.
 */
const MAX_SORTED = 300_000;

/**
 * The ids and sort values of the first links after a position, at most `count`, in order. They are read in the order of an
 * index while enough of them pass the conditions; otherwise the links of the condition that the fewest satisfy are looked up
 * and sorted. So a page is cheap for frequent and for rare matches.
 */
export async function readLinkPositions(
  query: LinkQuery,
  order: Order,
  after: KeysetPosition | null,
  count: number,
): Promise<RowPosition[]> {
  const scan = planScan(query, order);
  const found: RowPosition[] = [];
  const left = rangesLeft(query, order, after);
  for (let range = left.shift(); range && found.length < count; range = left.shift()) {
    const { positions, rest } = await tryRange(scan, range, count - found.length);
    found.push(...positions);
    if (rest) return [...found, ...(await readRest(scan, [rest, ...left], count - found.length))];
  }
  return found;
}

/** Up to `count` links from the first ones of a range, and the rest of the range when these were not enough. */
async function tryRange(
  scan: LinkScan,
  range: KeysetRange,
  count: number,
): Promise<{ positions: RowPosition[]; rest: KeysetRange | null }> {
  if (scan.tests.length === 0) return { positions: await readRange(scan, range, count), rest: null };
  const positions: RowPosition[] = [];
  let rest = range;
  for (const size of TRIAL_SIZES) {
    const end = await positionAfter(scan, rest, size);
    const more = await readRange(scan, end ? { ...rest, through: end } : rest, count - positions.length);
    positions.push(...more);
    if (!end || positions.length === count) return { positions, rest: null };
    rest = { ...rest, after: end };
    if (more.length === 0) break;
  }
  return { positions, rest };
}

async function readRest(scan: LinkScan, ranges: KeysetRange[], count: number): Promise<RowPosition[]> {
  const best = await smallestSource(scan.conditions, MAX_SORTED);
  if (best && best.count < (await countLeft(scan, ranges, best.count))) {
    return readBySource(scan, best.condition, best.source, ranges, count);
  }
  const positions: RowPosition[] = [];
  for (const range of ranges) {
    if (positions.length < count) positions.push(...(await readRange(scan, range, count - positions.length)));
  }
  return positions;
}

/** How many links the ranges still have, counted up to one more than `enough`. */
async function countLeft(scan: LinkScan, ranges: KeysetRange[], enough: number): Promise<number> {
  let count = 0;
  for (const range of ranges) {
    if (count <= enough) count += await countUpTo((bind) => rangeSource(scan, range, bind), enough + 1 - count);
  }
  return count;
}

/** Nulls sort below every value. */
const NULLS = { ASC: 'NULLS FIRST', DESC: 'NULLS LAST' };

/** The first links of these ranges that a condition's look-up returns and that pass the other conditions. */
function readBySource(
  scan: LinkScan,
  condition: Condition,
  source: Source,
  ranges: KeysetRange[],
  count: number,
): Promise<RowPosition[]> {
  const { order, projectId, conditions } = scan;
  const tests = conditions.filter((other) => other !== condition || !source.isExact);
  return readPositions(scan, (bind) => {
    const within = ranges.map((range) => `(${rangeSql(order, range, bind)})`).join(' OR ');
    const lookedUp = lookedUpFirst('links', { from: source.from, where: source.where(bind) });
    const where = [`project_id = ${bind(projectId)}`, `(${within})`, ...tests.map(({ test }) => test(bind))];
    return `SELECT id, value FROM (
        SELECT ${positionColumns(scan)} FROM ${lookedUp} AND ${where.join(' AND ')}
      ) AS found ORDER BY value ${order.direction} ${NULLS[order.direction]}, id ${order.direction} LIMIT ${count}`;
  });
}
