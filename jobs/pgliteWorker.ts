import { existsSync, mkdirSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { fromPglite } from 'pg-boss/dist/adapters/index.js';
import { copyJobStore } from './emptyJobStore.ts';

/**
 * The pages that PGlite keeps in memory. The default of PostgreSQL, 128 MB, is for a server with a load: it is set up at each start,
 * which takes half a second, and is resident from then on. Queues are small.
 */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

/**
 * Runs PGlite in a thread of its own, because its WebAssembly would delay redirects on the main thread. The first message
 * is {ready}, or {failed} if the folder does not open. Then {id, text, values} is answered with {id, rows} or {id, error};
 * {close: true} ends the thread, and so does an error after which PGlite cannot be used: see `isFatal`.
 */
async function run(): Promise<void> {
  if (!parentPort) throw new Error('Runs as a worker thread only');
  const port = parentPort;
  try {
    // The jobs can be recreated from the store, so their folder need not survive a power failure.
    const { folder: dataDir, empty, pgliteWasmModule } = workerData;
    if (!existsSync(dataDir)) {
      if (empty) copyJobStore(empty, dataDir);
      // What PGlite creates is open to everyone, whatever the umask.
      else mkdirSync(dataDir, { mode: 0o700 });
    }
    const pglite = await PGlite.create({
      dataDir,
      pgliteWasmModule,
      relaxedDurability: true,
      startParams: START_PARAMS,
    });
    const database = fromPglite(pglite);
    port.on('message', async ({ id, text, values, close }) => {
      if (close) {
        await pglite.close().catch(() => {});
        port.postMessage({ closed: true });
        port.close();
        return;
      }
      try {
        const { rows } = await database.executeSql(text, values);
        port.postMessage({ id, rows });
      } catch (error) {
        if (isFatal(error)) throw error;
        const { message, code } = error as Error & { code?: string };
        port.postMessage({ id, error: { message, code } });
      }
    });
    port.postMessage({ ready: true });
  } catch (error) {
    port.postMessage({ failed: (error as Error).message });
    port.close();
  }
}

/**
 * Without memory or disk PGlite ends in a trap, or Emscripten throws that its program has exited: each later statement would
 * fail, too.
 */
function isFatal(error: unknown): boolean {
  const name = (error as { name?: unknown } | null)?.name;
  return name === 'RuntimeError' || name === 'ExitStatus';
}

void run();
