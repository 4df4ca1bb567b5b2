import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Db } from 'pg-boss';
import { closeTreeToOthers } from '../src/db/dataDir.ts';
import { log } from '../src/kernel/log.ts';
import { once } from '../src/kernel/memoize.ts';
import { emptyJobStore, pgliteFolder } from './emptyJobStore.ts';

/**
 * The time limit for opening a folder with PGlite, after which it counts as broken. Where nothing is built, creating one takes
 * about three seconds of one core, and was seen to take more than a minute on a machine that had fifteen other things to do.
 */
const OPEN_MS = 180_000;

/** The least time between two attempts to open the store again, each of which takes a second or more of one core. */
const REOPEN_MS = 5000;

export interface EmbeddedDatabase extends Db {
  close(): Promise<void>;
}

/** A job store with the thread that it runs in. */
interface WorkerDatabase extends EmbeddedDatabase {
  /** Whether the thread has ended or is about to. */
  hasEnded(): boolean;
  /** Fulfilled when the thread has ended: nothing else has the folder open then. */
  exited: Promise<void>;
}

/**
 * Opens the job store in DATA_DIR, and again whenever its thread has ended. It is disposable: a folder that does not open is
 * renamed and replaced by an empty one, and the next sweep recreates the jobs.
 */
export async function openEmbeddedDatabase(dataDir: string): Promise<EmbeddedDatabase> {
  const folder = path.join(dataDir, 'jobs');
  return reopening(await openOrReplace(folder), () => startWorker(folder));
}

/**
 * Opens the store again for the first statement after its thread has ended, as it does without memory: without that, jobs
 * would wait until a restart. Statements that come meanwhile wait. Those that were under way have failed; pg-boss repeats its own.
 */
function reopening(first: WorkerDatabase, open: () => Promise<WorkerDatabase>): EmbeddedDatabase {
  let database = first;
  let opening: Promise<void> | null = null;
  let mayOpenAtMs = 0;
  let isClosed = false;
  const reopen = async () => {
    const { exited } = database;
    await exited;
    log.warn('the job store has ended; it is opened again');
    try {
      database = await open();
    } finally {
      mayOpenAtMs = performance.now() + REOPEN_MS;
      opening = null;
    }
  };
  return {
    async executeSql(text, values) {
      if (database.hasEnded() && !isClosed && (opening || performance.now() >= mayOpenAtMs)) {
        opening ??= reopen();
        await opening;
      }
      return database.executeSql(text, values);
    },
    async close() {
      isClosed = true;
      await opening?.catch(() => {});
      await database.close();
    },
  };
}

/** Tried twice with the empty store of the build, and then without it, because that may be what is damaged. */
async function openOrReplace(folder: string): Promise<WorkerDatabase> {
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      return await startWorker(folder);
    } catch (error) {
      if (!(await hasRoom(folder))) throw diskFull(folder, error);
      if (!existsSync(folder)) throw error;
      const broken = await setAside(folder);
      log.warn(
        { err: error, renamedTo: broken },
        'the job store did not open; it was renamed and a new one is created',
      );
    }
  }
  return startWorker(folder, null);
}

/** The 25 MB of an empty job store, and as much again for its log. */
const ROOM_BYTES = 50e6;

/** With less room a folder that does not open may be sound, and could not be replaced. */
async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(path.dirname(folder));
  return bavail * bsize >= ROOM_BYTES;
}

function diskFull(folder: string, cause: unknown): Error {
  const message = `The job store does not open, and the disk of ${folder} has less than ${ROOM_BYTES / 1e6} MB left`;
  return Object.assign(new Error(message, { cause }), { code: 'ENOSPC', path: folder });
}

/** Renames a folder that does not open, and deletes one that was renamed earlier, so that they do not fill the disk. */
async function setAside(folder: string): Promise<string> {
  const [parent, prefix] = [path.dirname(folder), `${path.basename(folder)}.broken-`];
  for (const name of await readdir(parent))
    if (name.startsWith(prefix)) await rm(path.join(parent, name), { recursive: true, force: true });
  const broken = path.join(parent, `${prefix}${Date.now()}`);
  await rename(folder, broken);
  return broken;
}

/** Reads the job store of a product that does not run; null if there is none. */
export async function readFromEmbedded<Result>(
  dataDir: string,
  read: (database: EmbeddedDatabase) => Promise<Result>,
): Promise<Result | null> {
  const folder = path.join(dataDir, 'jobs');
  if (!existsSync(folder)) return null;
  const database = await startWorker(folder);
  try {
    return await read(database);
  } finally {
    await database.close();
  }
}

/** Part of Node, but not of its types. */
declare const WebAssembly: { compile(bytes: Buffer): Promise<object> };

/**
 * The WebAssembly module of PGlite, compiled once per process: every further thread opens in half the time.
 *
 * V8 keeps the code that better code has replaced. The wrappers by which WebAssembly calls JavaScript belong to all threads,
 * and the V8 of Node 24.21 was seen to free one of them twice, which ends the process: `ThreadIsolation::UnregisterWasmAllocation` under
 * `Runtime_TierUpWasmToJSWrapper` (https://github.com/nodejs/node/issues/64500). The code that is kept is a few megabytes.
 */
const compiledPglite = once(async () => {
  setFlagsFromString('--no-wasm-code-gc');
  return WebAssembly.compile(await readFile(path.join(pgliteFolder(), 'pglite.wasm')));
});

interface PendingRequest {
  resolve(result: { rows: unknown[] }): void;
  reject(error: Error): void;
}

async function startWorker(folder: string, empty = emptyJobStore()): Promise<WorkerDatabase> {
  const extension = path.extname(import.meta.url);
  const workerData = { folder, empty, pgliteWasmModule: await compiledPglite() };
  const worker = new Worker(new URL(`./pgliteWorker${extension}`, import.meta.url), { workerData, execArgv: [] });
  const pending = new Map<number, PendingRequest>();
  let lastId = 0;
  let ended: Error | null = null;

  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of pending.values()) reject(ended);
    pending.clear();
  };
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve());
  });
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The job store did not open in time')), OPEN_MS);
    const finish = (error?: Error) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    };
    worker.on('message', ({ id, rows, error, ready: isReady, failed }) => {
      if (isReady) return finish();
      if (failed) return finish(new Error(failed));
      const request = pending.get(id);
      pending.delete(id);
      if (error) request?.reject(Object.assign(new Error(error.message), { code: error.code }));
      else request?.resolve({ rows });
    });
    worker.on('error', (error: Error) => {
      finish(error);
      end(error);
    });
    worker.on('exit', () => {
      finish(new Error('The job store ended'));
      end(new Error('The job store has ended'));
    });
  });
  try {
    await ready;
    // PGlite makes new folders writable for everyone, whatever the umask.
    await closeTreeToOthers(folder);
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  return {
    exited,
    hasEnded: () => ended !== null,
    executeSql: (text, values) =>
      new Promise<{ rows: unknown[] }>((resolve, reject) => {
        if (ended) return reject(ended);
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        worker.postMessage({ id: lastId, text, values });
      }) as ReturnType<Db['executeSql']>,
    async close() {
      if (ended) return;
      worker.postMessage({ close: true });
      const timer = setTimeout(() => void worker.terminate(), 5000);
      await exited;
      clearTimeout(timer);
    },
  };
}
