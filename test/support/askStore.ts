import path from 'node:path';
import pg from 'pg';
import sqlite3 from 'sqlite3';
import type { Store } from './stores.ts';

/** What a statement gives from outside the product, on whichever store. */
export async function askStore<Row>(store: Store, sql: string): Promise<Row[]> {
  if (!store.env.DATABASE_URL) return withFile(store, (file) => all<Row>(file, sql));
  const client = new pg.Client({ connectionString: store.env.DATABASE_URL });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** How many clicks are in the store. */
export async function storedClicks(store: Store): Promise<number> {
  const [row] = await askStore<{ count: string | number }>(store, 'SELECT COUNT(*) AS count FROM clicks');
  return Number(row?.count);
}

/** Keeps everybody else from writing to the SQLite file while `during` runs, as a backup may do. */
export function whileLocked(store: Store, during: () => Promise<void>): Promise<void> {
  return withFile(store, async (file) => {
    await all(file, 'PRAGMA busy_timeout = 5000');
    await all(file, 'BEGIN EXCLUSIVE');
    await during();
    await all(file, 'COMMIT');
  });
}

async function withFile<Result>(store: Store, use: (file: sqlite3.Database) => Promise<Result>): Promise<Result> {
  const file = new sqlite3.Database(path.join(store.dataDir, 'svc.sqlite'));
  try {
    return await use(file);
  } finally {
    await new Promise((resolve) => file.close(resolve));
  }
}

function all<Row>(file: sqlite3.Database, sql: string): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    file.all<Row>(sql, (error, rows) => (error ? reject(error) : resolve(rows)));
  });
}
