import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { closeDatabase, dialect, openDatabase } from '../../src/db/connection/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { query } from '../../src/db/query.ts';
import { loadConfig } from '../../src/kernel/config.ts';
import { log } from '../../src/kernel/log.ts';
import { keepNewKey, openSecrets } from '../../src/kernel/secrets.ts';
import { connectModels } from '../../src/models/index.ts';
import type { BenchStore } from './product.ts';

/** What a later run needs to go on with a store that was kept. */
export interface Kept {
  key: string;
  clicks: number;
  startMs: number;
  endMs: number;
  /** Up to where clicks are loaded. */
  loadedMs: number;
}

const FILE = 'bench.json';
const MIB = 1024 * 1024;

/** What was kept in a folder; null when nothing was, or not to the end. */
export async function readKept(folder: string): Promise<Kept | null> {
  const text = await readFile(path.join(folder, FILE), 'utf8').catch(() => null);
  return text === null ? null : JSON.parse(text);
}

export async function writeKept(folder: string, kept: Kept): Promise<void> {
  await writeFile(path.join(folder, FILE), JSON.stringify(kept));
}

/** Opens the store in this process as the product does, for as long as `work` takes. */
export async function withOpenStore<Result>(store: BenchStore, work: () => Promise<Result>): Promise<Result> {
  const config = loadConfig({ LOG_LEVEL: 'warn', ...store.env });
  log.level = config.logLevel;
  await openSecrets(config);
  await keepNewKey();
  await openDatabase(config);
  try {
    connectModels();
    await migrate();
    return await work();
  } finally {
    await closeDatabase();
  }
}

/** Mebibytes of the open store: all of it, and what of it are blocks and totals. */
export async function sizeOfStore(folder: string): Promise<{ whole: number; blocks: number; totals: number }> {
  const content = async (table: string) => {
    const [row] = await query<{ bytes: number | string | null }>(`SELECT SUM(LENGTH(content)) AS bytes FROM ${table}`);
    return Number(row?.bytes ?? 0) / MIB;
  };
  return {
    whole: await wholeSize(folder),
    blocks: await content('click_columns'),
    totals: await content('click_totals'),
  };
}

async function wholeSize(folder: string): Promise<number> {
  if (dialect() === 'postgres') {
    const [row] = await query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
    return Number(row?.bytes) / MIB;
  }
  const files = (await readdir(folder)).filter((file) => file.startsWith('svc.sqlite'));
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / MIB;
}
