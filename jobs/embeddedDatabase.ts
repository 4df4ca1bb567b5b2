import { existsSync } from 'node:fs';
import { access, readFile, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Db } from 'pg-boss';
import { closeTreeToOthers } from '../src/db/dataDir.ts';
import { log } from '../src/kernel/log.ts';

/** Time PGlite may take to open its folder; making a new one takes about three seconds of one core. */
const OPEN_MS = 60_000;

export interface EmbeddedDatabase extends Db {
  close(): Promise<void>;
}

/**
 * The job store in DATA_DIR. It is disposable: a folder that does not open is set aside and made anew, and the jobs are
 * derived again from outbox and deliveries.
 */
export async function openEmbeddedDatabase(dataDir: string): Promise<EmbeddedDatabase> {
  const folder = path.join(dataDir, 'jobs');
  try {
    return await startWorker(folder);
  } catch (error) {
    const isThere = await access(folder).then(
      () => true,
      () => false,
    );
    if (!isThere) throw error;
    const aside = `${folder}.broken-${Date.now()}`;
    await rename(folder, aside);
    log.warn({ err: error, aside }, 'the job store did not open; it was set aside and is made anew');
    return startWorker(folder);
  }
}

/** Reads the job store of a product that is stopped; null when there is none. */
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

let compiled: Promise<object> | null = null;

/** PGlite's program, compiled once a process: each further thread that gets it opens in half the time. */
function compiledPglite(): Promise<object> {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  compiled ??= readFile(path.join(path.dirname(main), 'pglite.wasm')).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

interface Waiting {
  resolve(result: { rows: unknown[] }): void;
  reject(error: Error): void;
}

async function startWorker(folder: string): Promise<EmbeddedDatabase> {
  const extension = path.extname(import.meta.url);
  const workerData = { folder, pgliteWasmModule: await compiledPglite() };
  const worker = new Worker(new URL(`./pgliteWorker${extension}`, import.meta.url), { workerData, execArgv: [] });
  const waiting = new Map<number, Waiting>();
  let questions = 0;
  let ended: Error | null = null;

  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The job store did not open in time')), OPEN_MS);
    const settle = (error?: Error) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    };
    worker.on('message', ({ id, rows, error, ready: isReady, failed }) => {
      if (isReady) return settle();
      if (failed) return settle(new Error(failed));
      const question = waiting.get(id);
      waiting.delete(id);
      if (error) question?.reject(Object.assign(new Error(error.message), { code: error.code }));
      else question?.resolve({ rows });
    });
    worker.on('error', (error: Error) => {
      settle(error);
      end(error);
    });
    worker.on('exit', () => {
      settle(new Error('The job store ended'));
      end(new Error('The job store has ended'));
    });
  });
  try {
    await ready;
    // Where PGlite makes a new folder it gives everybody the right to write, whatever the umask.
    await closeTreeToOthers(folder);
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  return {
    executeSql: (text, values) =>
      new Promise<{ rows: unknown[] }>((resolve, reject) => {
        if (ended) return reject(ended);
        questions += 1;
        waiting.set(questions, { resolve, reject });
        worker.postMessage({ id: questions, text, values });
      }) as ReturnType<Db['executeSql']>,
    async close() {
      if (ended) return;
      const exited = new Promise((resolve) => worker.once('exit', resolve));
      worker.postMessage({ close: true });
      const timer = setTimeout(() => void worker.terminate(), 5000);
      await exited;
      clearTimeout(timer);
    },
  };
}
