import { DIMENSIONS } from '../clicks/dimensions.ts';
import { dialect } from '../db/database.ts';
import { type DayCells, dayCellsFor, type Question } from './dayCells.ts';
import type { Spans } from './spans.ts';

/**
 * The statement that answers a question within spans; null where there is nothing to read. It takes the replacements
 * :projectId, :trafficClass, :dimension and :cellKey (of the DayCells), :days and :clicks (the spans as JSON arrays of
 * bucket, from, to), :limit, and a list for each filter, named by `filterParameter`.
 */
export function figuresSql(question: Question, spans: Spans): string | null {
  const cells = dayCellsFor(question);
  const parts: string[] = [];
  if (cells && spans.days.length > 0) parts.push(sumOfDays(question, cells));
  if (spans.clicks.length > 0) parts.push(countOfClicks(question));
  if (parts.length === 0) return null;
  const byteOrder = dialect() === 'sqlite' ? 'key' : 'key COLLATE "C"';
  return `WITH day_spans AS (${listed('days', 'INTEGER')}),
      click_spans AS (${listed('clicks', dialect() === 'sqlite' ? 'TEXT' : 'TIMESTAMPTZ')})
    SELECT key, SUM(clicks) AS clicks, SUM(visitors) AS visitors, SUM(SUM(clicks)) OVER () AS all_clicks,
      SUM(SUM(visitors)) OVER () AS all_visitors, COUNT(*) OVER () AS all_keys
    FROM (${parts.join(' UNION ALL ')}) AS parts GROUP BY key
    ${question.groupBy === 'time' ? '' : `ORDER BY 2 DESC, ${byteOrder} LIMIT :limit`}`;
}

export function filterParameter(dimension: string): string {
  return `filter_${dimension}`;
}

function sumOfDays({ groupBy }: Question, { key }: DayCells): string {
  const condition = `days.project_id = :projectId AND days.dimension = :dimension
    AND days.traffic_class = :trafficClass AND days.day >= spans.from_at AND days.day < spans.to_at
    ${key === null ? '' : 'AND days.key = :cellKey'}`;
  return `SELECT ${keyOf(groupBy, 'days.key')} AS key, SUM(days.clicks) AS clicks, SUM(days.visitors) AS visitors
    FROM ${bySpan('day_spans', 'click_days', 'days', condition)} GROUP BY 1`;
}

/** A span lies within a UTC day, so the rows of its inner query are that day's distinct visitors. */
function countOfClicks({ groupBy, trafficClass, filters }: Question): string {
  const column = groupBy === 'time' ? null : DIMENSIONS[groupBy].column;
  const conditions = filters.map(({ dimension, isExcluding }) => {
    const tested = `visits.${DIMENSIONS[dimension].column}`;
    const keys = `(:${filterParameter(dimension)})`;
    return isExcluding ? `(${tested} NOT IN ${keys} OR ${tested} IS NULL)` : `${tested} IN ${keys}`;
  });
  if (trafficClass !== null) conditions.push('visits.traffic_class = :trafficClass');
  conditions.push(
    'visits.project_id = :projectId AND visits.occurred_at >= spans.from_at AND visits.occurred_at < spans.to_at',
  );
  return `SELECT key, SUM(clicks) AS clicks, COUNT(*) AS visitors FROM (
      SELECT ${keyOf(groupBy, `COALESCE(visits.${column}, '')`)} AS key, COUNT(*) AS clicks
      FROM ${bySpan('click_spans', 'clicks', 'visits', conditions.join(' AND '))}
      GROUP BY 1, spans.from_at, visits.visitor
    ) AS visitors GROUP BY key`;
}

function keyOf(groupBy: Question['groupBy'], keyColumn: string): string {
  if (groupBy === 'time') return 'spans.bucket';
  return groupBy === 'none' ? "''" : keyColumn;
}

/**
 * Each span with its rows of a table, looked up in the index span by span. Left to themselves both stores may read the
 * whole table for each: CROSS JOIN fixes the order of the tables on SQLite, LATERAL with OFFSET does on PostgreSQL.
 */
function bySpan(spans: string, table: string, name: string, condition: string): string {
  if (dialect() === 'sqlite') return `${spans} AS spans CROSS JOIN ${table} AS ${name} WHERE ${condition}`;
  const rows = `SELECT * FROM ${table} AS ${name} WHERE ${condition} OFFSET 0`;
  return `${spans} AS spans CROSS JOIN LATERAL (${rows}) AS ${name}`;
}

/** Spans come as JSON: there may be thousands. */
function listed(parameter: string, type: string): string {
  const source =
    dialect() === 'sqlite'
      ? `json_each(:${parameter})`
      : `jsonb_array_elements(CAST(:${parameter} AS JSONB)) AS listed(value)`;
  return `SELECT CAST(value ->> 0 AS INTEGER) AS bucket, CAST(value ->> 1 AS ${type}) AS from_at,
    CAST(value ->> 2 AS ${type}) AS to_at FROM ${source}`;
}
