import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { atEnd } from './atEnd.ts';
import { copyEmbeddedStores, forgetEmptyStores, templateDatabase } from './emptyStores.ts';

/** Which stores the suite runs on: `STORE=sqlite` (default) or `STORE=postgres`. */
export const STORE = process.env.STORE === 'postgres' ? 'postgres' : 'sqlite';

const SERVER = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** The stand-in for PostgreSQL has one database, which is emptied for each store. */
const IS_SHARED = process.env.TEST_POSTGRES_SHARED === 'true';
const EMPTY = 'DROP SCHEMA IF EXISTS public CASCADE; DROP SCHEMA IF EXISTS pgboss CASCADE; CREATE SCHEMA public';

// Its one session would find the statements that another connection prepared under the same names.
if (IS_SHARED) askWithoutNames();

/** Several files at a time start several processes each, and a server as it is installed has 100 connections. */
const DATABASE_POOL_SIZE = '5';

const SECRET_KEY = 'a secret key that only tests use, long enough';

export interface Store {
  /** Environment variables that put a product on this store. */
  env: Record<string, string>;
  dataDir: string;
  /** As if the server went away: refuses and cuts every connection until `comeBack`. PostgreSQL alone. */
  goAway?(): Promise<void>;
  comeBack?(): Promise<void>;
  remove(): Promise<void>;
}

interface StoreOptions {
  hasJobs?: boolean;
  /** Without tables too, as on the very first start. */
  isBare?: boolean;
}

/** Databases that are being dropped. */
const removals: Promise<void>[] = [];

let giveUp: (() => Promise<void>) | null = null;

/** Keeps a store in use between test files: who wants another one, or ends the process, asks for it to be given up. */
export function holdStore(ended: () => Promise<void>): void {
  giveUp = ended;
}

export async function freeStore(): Promise<void> {
  const end = giveUp;
  giveUp = null;
  await end?.();
}

atEnd(forgetEmptyStores);
atEnd(() => Promise.all(removals));
atEnd(freeStore);

/** An empty store of the profile in force: a folder, and on PostgreSQL a database of its own. */
export async function makeStore({ hasJobs = true, isBare = false }: StoreOptions = {}): Promise<Store> {
  await freeStore();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
  const removeFolder = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  if (STORE === 'sqlite' && !isBare) await copyEmbeddedStores(dataDir, { hasJobs });
  if (STORE === 'sqlite') return { env: { DATA_DIR: dataDir }, dataDir, remove: removeFolder };
  if (IS_SHARED) {
    await onServer(EMPTY);
    const env = { DATA_DIR: dataDir, DATABASE_URL: SERVER, SECRET_KEY, DATABASE_POOL_SIZE: '2' };
    return { env, dataDir, remove: removeFolder };
  }
  const name = await createDatabase(isBare ? null : await templateDatabase(TEMPLATES));
  return {
    env: { DATA_DIR: dataDir, DATABASE_URL: urlOf(name), SECRET_KEY, DATABASE_POOL_SIZE },
    dataDir,
    async goAway() {
      await onServer(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      await onServer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    },
    comeBack: () => onServer(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`),
    async remove() {
      // The server writes a checkpoint first; nobody has to wait for it.
      removals.push(dropDatabase(name));
      await removeFolder();
    },
  };
}

const TEMPLATES = { create: () => createDatabase(null), drop: dropDatabase, urlOf };

async function createDatabase(template: string | null): Promise<string> {
  const name = `svc_test_${randomBytes(6).toString('hex')}`;
  // Tests end processes of the product, never the server: a commit need not wait for its disk.
  await onServer(
    `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template}` : ''}`,
    `ALTER DATABASE ${name} SET synchronous_commit = off`,
  );
  return name;
}

function dropDatabase(name: string): Promise<void> {
  return onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

function urlOf(name: string): string {
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}

function askWithoutNames(): void {
  const { prototype } = pg.Client as unknown as { prototype: { query(asked: unknown, ...more: unknown[]): unknown } };
  const ask = prototype.query;
  prototype.query = function (asked, ...more) {
    const isNamed = typeof asked === 'object' && asked !== null && 'name' in asked && !('submit' in asked);
    return ask.call(this, isNamed ? { ...asked, name: undefined } : asked, ...more);
  };
}
