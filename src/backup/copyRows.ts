import type { PostgresClient } from '../db/connection/postgresClient.ts';
import type { SqliteFile } from '../db/connection/SqliteFile.ts';
import { quoted } from '../db/tables.ts';
import { BackupProblem } from './manifest.ts';

/** Bytes of values of one statement: enough to be fast, and little enough for a small machine. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** Rows of one statement. */
const BATCH_ROWS = 2000;

/** A column that both stores have, with its type in PostgreSQL. */
interface Column {
  name: string;
  type: string;
}

/**
 * Columns that only SQLite has: `links.row` is the number by which its full-text index refers to a link; PostgreSQL searches by
 * an index on the texts themselves.
 */
const SQLITE_ONLY: Record<string, string[]> = { links: ['row'] };

/** The columns of a table to copy. Throws when a store has one that the other lacks: a migration would have forgotten it. */
export async function columnsOf(source: SqliteFile, target: PostgresClient, table: string): Promise<Column[]> {
  const ours = (await source.all<{ name: string }>('SELECT name FROM pragma_table_xinfo(?)', [table])).map(
    ({ name }) => name,
  );
  const { rows } = await target.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = CAST($1 AS regclass) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [quoted(table)],
  );
  const theirs = new Map(rows.map(({ name, type }) => [name, type]));
  const lacking = [
    ...ours.filter((name) => !theirs.has(name) && !SQLITE_ONLY[table]?.includes(name)),
    ...[...theirs.keys()].filter((name) => !ours.includes(name)),
  ];
  if (lacking.length > 0) throw new Error(`Only one of the stores has ${lacking.join(', ')} in ${table}`);
  return ours.flatMap((name) => {
    const type = theirs.get(name);
    return type === undefined ? [] : [{ name, type }];
  });
}

/**
 * Copies all rows of a table in batches of bounded size, in the order in which they were written. Every value travels as text,
 * which PostgreSQL reads by the type of its column: times, booleans and JSON are text in SQLite anyway. Returns the number of
 * rows.
 */
export async function copyRows(
  source: SqliteFile,
  target: PostgresClient,
  table: string,
  onProgress: (rows: number) => void,
): Promise<number> {
  const columns = await columnsOf(source, target, table);
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  const values = columns.map(({ type }, at) => `CAST(v${at} AS ${type})`).join(', ');
  const lists = columns.map((_, at) => `CAST($${at + 1} AS TEXT[])`).join(', ');
  const given = columns.map((_, at) => `v${at}`).join(', ');
  const insert = `INSERT INTO ${quoted(table)} (${names}) SELECT ${values} FROM UNNEST(${lists}) AS given(${given})`;
  let copied = 0;
  for (let after: number | null = null; ; ) {
    const until = await endOfBatch(source, table, columns, after);
    if (until === null) return copied;
    const rows = await source.all(
      `SELECT ${names} FROM ${quoted(table)} WHERE rowid <= ?${after === null ? '' : ` AND rowid > ${after}`} ORDER BY rowid`,
      [until],
    );
    const texts = columns.map(({ name }) => rows.map((row) => asText(row[name])));
    await target.query(insert, texts).catch((error: Error) => {
      throw new BackupProblem(`Rows of ${table} after number ${after ?? 0} cannot be stored: ${error.message}`);
    });
    copied += rows.length;
    after = until;
    onProgress(copied);
  }
}

/**
 * The number of the last row of the next batch; null at the end of the table. Only lengths are read: a row may hold a piece of
 * a file.
 */
async function endOfBatch(
  source: SqliteFile,
  table: string,
  columns: readonly Column[],
  after: number | null,
): Promise<number | null> {
  const bytes = columns.map(({ name }) => `COALESCE(octet_length(${quoted(name)}), 0)`).join(' + ');
  const rows = await source.all<{ at: number; bytes: number }>(
    `SELECT rowid AS at, ${bytes} AS bytes FROM ${quoted(table)} ${after === null ? '' : `WHERE rowid > ${after}`}
      ORDER BY rowid LIMIT ${BATCH_ROWS}`,
  );
  let total = 0;
  let last: number | null = null;
  for (const row of rows) {
    total += row.bytes;
    if (last !== null && total > BATCH_BYTES) break;
    last = row.at;
  }
  return last;
}

/** A value of SQLite as the text that PostgreSQL reads. Numbers keep every digit, and bytes are in hex. */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value);
}
