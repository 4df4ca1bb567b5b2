import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { dialect } from '../../src/db/connection/database.ts';
import { query } from '../../src/db/query.ts';

/** Everything that a product keeps, by where it is: text as latin1 in lower case, so that bytes can be looked for in it. */
export type AtRest = Map<string, string>;

/** All rows of all tables of the store, as the store itself writes them as text. */
export async function everyTable(): Promise<AtRest> {
  const found: AtRest = new Map();
  for (const table of await tableNames()) {
    const rows = await query<Record<string, unknown>>(rowsOf(table));
    found.set(`table ${table}`, lowered(JSON.stringify(rows.map(readable))));
  }
  return found;
}

/** All files below a folder. */
export async function everyFile(folder: string): Promise<AtRest> {
  const found: AtRest = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    // One that was deleted meanwhile is not kept.
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    found.set(`file ${path.relative(folder, file)}`, bytes.toString('latin1').toLowerCase());
  }
  return found;
}

/** Where the text or its bytes stand. */
export function placesOf(needle: string | Buffer, kept: AtRest): string[] {
  const wanted = (typeof needle === 'string' ? Buffer.from(needle) : needle).toString('latin1').toLowerCase();
  return [...kept].filter(([, text]) => text.includes(wanted)).map(([place]) => place);
}

async function tableNames(): Promise<string[]> {
  const sql =
    dialect() === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'table'"
      : `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
         WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`;
  return (await query<{ name: string }>(sql)).map(({ name }) => name);
}

function rowsOf(table: string): string {
  return dialect() === 'sqlite' ? `SELECT * FROM "${table}"` : `SELECT CAST(kept AS TEXT) AS row FROM ${table} AS kept`;
}

/** Bytes as PostgreSQL writes them. */
function readable(row: Record<string, unknown>): unknown[] {
  return Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('hex') : value));
}

function lowered(text: string): string {
  return Buffer.from(text).toString('latin1').toLowerCase();
}
