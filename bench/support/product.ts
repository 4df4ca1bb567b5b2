import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';

const SERVER = process.env.BENCH_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
/** Settings without the limits of accounts. */
export const NO_LIMITS = {
  RATE_LIMIT_PER_MINUTE: '1000000000',
  RATE_LIMIT_ROWS_PER_MINUTE: '1000000000',
  NEW_ACCOUNT_LINKS_PER_HOUR: '1000000000',
};

/** The built product as a process of its own. */
export interface Product {
  child: ChildProcess;
  key: string;
  /** Asks the REST API; throws for everything but success. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  call(method: string, below: string, body?: unknown): Promise<any>;
  stop(): Promise<void>;
}

/** Where a product keeps everything. */
export interface BenchStore {
  folder: string;
  /** Environment variables that put a product on it. */
  env: Record<string, string>;
  remove(): Promise<void>;
}

interface StartOptions {
  port: number;
  env?: Record<string, string>;
}

/** Starts it on an empty store: on `sqlite`, or on `postgres` in a database of that name. Its stop removes the store. */
export async function startProduct(
  store: string,
  { database, ...options }: StartOptions & { database: string },
): Promise<Product> {
  const there = await makeStore(store, database);
  const product = await startOn(there, options);
  return {
    ...product,
    async stop() {
      if (product.child.exitCode !== null || product.child.signalCode !== null) return;
      await end(product.child, process.env.BENCH_NODE_OPTIONS ? 'SIGTERM' : 'SIGKILL');
      await there.remove();
    },
  };
}

/** An empty store; in `folder` if one is given, else in one of its own. */
export async function makeStore(store: string, database: string, folder?: string): Promise<BenchStore> {
  if (store === 'postgres') {
    await onServer(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await onServer(`CREATE DATABASE ${database}`);
  }
  return storeAt(store, database, folder ?? (await mkdtemp(path.join(tmpdir(), 'svc-bench-'))));
}

/** A store that is there already. */
export function storeAt(store: string, database: string, folder: string): BenchStore {
  const url = new URL(SERVER);
  url.pathname = `/${database}`;
  const onPostgres = { DATABASE_URL: url.href, SECRET_KEY: 'a key for benchmarks alone, long enough' };
  return {
    folder,
    env: { DATA_DIR: folder, ...(store === 'postgres' ? onPostgres : {}) },
    async remove() {
      await rm(folder, { recursive: true, force: true });
      if (store === 'postgres') await onServer(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    },
  };
}

/** Starts it on a store, which its stop leaves in order. `key`: that of the first start, if this is another one. */
export async function startOn(
  store: BenchStore,
  { port, env = {}, key: knownKey }: StartOptions & { key?: string },
): Promise<Product> {
  const main = new URL('../../dist/app/main.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [...(process.env.BENCH_NODE_OPTIONS?.split(' ') ?? []), main], {
    env: { ...process.env, ...NO_LIMITS, ...store.env, PORT: String(port), HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await untilReady(child);
  const key = knownKey ?? (await firstKey(store.folder));
  const headers = { Authorization: `Bearer ${key}` };
  return {
    child,
    key,
    async call(method, below, body) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${below}`, {
        method,
        headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (!response.ok) throw new Error(`${method} ${below}: ${response.status} ${await response.text()}`);
      return response.status === 204 ? null : response.json();
    },
    stop: () => end(child, 'SIGTERM'),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

/** The key that the first start on a store left in a file. */
async function firstKey(folder: string): Promise<string> {
  const text = await readFile(path.join(folder, 'first-account'), 'utf8');
  return /sk_live_[\w-]+/.exec(text)?.[0] ?? '';
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`The product ended with ${code} before it was ready:\n${text}`)));
    const hear = (chunk: Buffer) => {
      text = (text + chunk).slice(-100_000);
      if (!text.includes('"msg":"ready"')) return;
      // From here on what it says is only kept from filling the pipe.
      child.stdout?.off('data', hear).resume();
      resolve();
    };
    child.stdout?.on('data', hear);
  });
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** `name=value` of the command line. */
export function option(name: string, fallback: string): string {
  return process.argv.find((argument) => argument.startsWith(`${name}=`))?.slice(name.length + 1) ?? fallback;
}
