import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startBoss } from '../../jobs/boss.ts';
import { JOBS } from '../../jobs/table.ts';
import { closeDatabase, openDatabase } from '../../src/db/connection/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Config, config, loadConfig } from '../../src/kernel/config.ts';

const copy = promisify(execFile);

/** The folder that the processes of one run share; see scripts/test.mjs. */
const SHARED = process.env.TEST_TEMPLATES ? path.join(process.env.TEST_TEMPLATES, 'embedded') : null;

/** Templates of this process, with their ends. */
let folder: Promise<string> | null = null;
let database: Promise<string> | null = null;
let end: () => Promise<void> = async () => {};

/** Puts stores without a row into DATA_DIR, as the product makes them: that takes seconds, and a copy a moment. */
export async function copyEmbeddedStores(dataDir: string, { hasJobs }: { hasJobs: boolean }): Promise<void> {
  folder ??= makeFolder();
  const template = await folder;
  const wanted = hasJobs ? ['svc.sqlite', 'jobs'] : ['svc.sqlite'];
  // Hundreds of files: the command copies them in a tenth of the time.
  await copy('cp', ['-R', ...wanted.map((name) => path.join(template, name)), dataDir]);
}

/** The name of a database without a row, to be copied; `create` and `drop` ask the server, `urlOf` says where one is. */
export function templateDatabase(server: {
  create(): Promise<string>;
  drop(name: string): Promise<void>;
  urlOf(name: string): string;
}): Promise<string> {
  database ??= (async () => {
    const name = await server.create();
    end = () => server.drop(name);
    await fill({ ...config, databaseUrl: server.urlOf(name) });
    return name;
  })();
  return database;
}

export async function forgetEmptyStores(): Promise<void> {
  if (folder && !SHARED) await rm(await folder, { recursive: true, force: true });
  if (database) await end();
  folder = null;
  database = null;
}

async function makeFolder(): Promise<string> {
  if (SHARED && existsSync(SHARED)) return SHARED;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-test-empty-'));
  await fill({ ...config, dataDir, databaseUrl: null });
  if (!SHARED) return dataDir;
  try {
    await rename(dataDir, SHARED);
  } catch {
    // Another process was faster, and its stores are the same.
    await rm(dataDir, { recursive: true, force: true });
  }
  return SHARED;
}

async function fill(empty: Config): Promise<void> {
  // Settings may not be read yet.
  if (config.clickRetentionDays === undefined) loadConfig({ LOG_LEVEL: 'silent' });
  const { stop } = await startBoss({ ...empty, migrate: 'auto', jobsBackend: 'postgres' }, JOBS);
  await stop();
  await openDatabase(empty);
  await migrate();
  await closeDatabase();
}
