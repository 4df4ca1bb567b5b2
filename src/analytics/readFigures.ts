import { select } from '../db/database.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { dayCellsFor, type Question } from './dayCells.ts';
import { figuresSql, filterParameter } from './figuresSql.ts';
import type { Spans } from './spans.ts';

/** The clicks of one key, and the sum of each UTC day's distinct visitors. */
export interface KeyFigures {
  /** Of the dimension, empty for unknown; by time the position of the bucket. */
  key: string | number;
  count: number;
  unique: number;
}

export interface FiguresRead {
  /** The most clicked first, and no more than the limit; by time in no order and without what has no clicks. */
  rows: KeyFigures[];
  /** Sums over all rows, those beyond the limit included; so is the number of them in `keys`. */
  count: number;
  unique: number;
  keys: number;
}

/** PostgreSQL gives its sums as text. */
type Row = Record<'clicks' | 'visitors' | 'all_clicks' | 'all_visitors' | 'all_keys', number | string> & {
  key: string | number;
};

/** Answers a question within spans, in one statement: rows and sums are of one moment. */
export async function readFigures(question: Question, spans: Spans, limit: number): Promise<FiguresRead> {
  const sql = figuresSql(question, spans);
  const rows = sql ? await select<Row>(sql, replacements(question, spans, limit)) : [];
  const [first] = rows;
  return {
    rows: rows.map(({ key, clicks, visitors }) => ({ key, count: Number(clicks), unique: Number(visitors) })),
    count: Number(first?.all_clicks ?? 0),
    unique: Number(first?.all_visitors ?? 0),
    keys: Number(first?.all_keys ?? 0),
  };
}

function replacements(question: Question, { days, clicks }: Spans, limit: number): Record<string, unknown> {
  const cells = dayCellsFor(question);
  const filters = question.filters.map(({ dimension, keys }) => [filterParameter(dimension), keys] as const);
  return {
    projectId: question.projectId,
    trafficClass: question.trafficClass,
    dimension: cells?.dimension,
    cellKey: cells?.key,
    days: JSON.stringify(days.map(({ bucket, from, to }) => [bucket, from, to])),
    clicks: JSON.stringify(clicks.map(({ bucket, from, to }) => [bucket, sqlTime(from), sqlTime(to)])),
    limit,
    ...Object.fromEntries(filters),
  };
}
