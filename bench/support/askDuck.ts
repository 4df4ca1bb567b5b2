import type { DuckDBConnection } from '@duckdb/node-api';
import type { Question } from './analyticsQuestions.ts';

export interface Figures {
  count: number;
  unique: number;
}

export interface DuckAnswer {
  total: Figures;
  /** By key; of time in milliseconds. Unknown is null. */
  rows: Map<string | number | null, Figures>;
}

export interface DuckRange {
  startMs: number;
  endMs: number;
  granularity: string | null;
  /** Rows of a group; those of time have no limit. */
  limit: number | null;
}

/** How much later the clocks of `ZONE` show than those of UTC. */
const ZONE_AHEAD_MINUTES = 330;

/** Answers a question by two statements: the rows and the total, each with the distinct visitors of each UTC day. */
export async function askDuck(connection: DuckDBConnection, question: Question, range: DuckRange): Promise<DuckAnswer> {
  const [[, count, unique] = [null, 0, 0]] = await rowsOf(connection, question, range, 'NULL');
  const total = { count, unique };
  if (question.groupBy === 'none') return { total, rows: new Map() };
  const rows = await rowsOf(connection, question, range, keyOf(question, range.granularity));
  return { total, rows: new Map(rows.map(([key, clicks, visitors]) => [key, { count: clicks, unique: visitors }])) };
}

async function rowsOf(
  connection: DuckDBConnection,
  question: Question,
  range: DuckRange,
  key: string,
): Promise<[string | number | null, number, number][]> {
  const read = await connection.runAndReadAll(
    `SELECT key, CAST(SUM(clicks) AS DOUBLE), CAST(SUM(visitors) AS DOUBLE) FROM (
       SELECT key, COUNT(*) AS clicks, COUNT(DISTINCT visitor) AS visitors
       FROM (SELECT ${key} AS key, occurred_at, visitor FROM clicks WHERE ${conditionsOf(question, range)})
       GROUP BY key, CAST(occurred_at AS DATE)
     ) GROUP BY key ORDER BY 2 DESC, key ${range.limit === null ? '' : `LIMIT ${range.limit}`}`,
  );
  return read.getRows() as [string | number | null, number, number][];
}

function keyOf({ groupBy, timezone }: Question, granularity: string | null): string {
  if (groupBy === 'time') {
    const ahead = `INTERVAL ${timezone ? ZONE_AHEAD_MINUTES : 0} MINUTE`;
    return `CAST(epoch_ms(date_trunc('${granularity}', occurred_at + ${ahead}) - ${ahead}) AS DOUBLE)`;
  }
  // A click counts with each of its tags, and as unknown when it has none.
  return groupBy === 'tag' ? 'unnest(CASE WHEN len(tags) = 0 THEN [NULL] ELSE tags END)' : groupBy;
}

function conditionsOf({ filters, traffic = 'human' }: Question, { startMs, endMs }: DuckRange): string {
  const conditions = [`occurred_at >= ${momentOf(startMs)} AND occurred_at < ${momentOf(endMs)}`];
  if (traffic !== 'all') conditions.push(`traffic_class = ${quoted(traffic)}`);
  for (const [name, text] of Object.entries(filters)) {
    const isExcluding = text.startsWith('-');
    const keys = text
      .slice(isExcluding ? 1 : 0)
      .split(',')
      .map(quoted)
      .join(', ');
    const holds = name === 'tag' ? `list_has_any(tags, [${keys}])` : `${name} IN (${keys})`;
    conditions.push(isExcluding ? `(${holds}) IS NOT TRUE` : holds);
  }
  return conditions.join(' AND ');
}

function momentOf(ms: number): string {
  return `TIMESTAMP '${new Date(ms).toISOString().slice(0, -1)}'`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
