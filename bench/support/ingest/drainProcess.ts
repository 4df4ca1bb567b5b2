import path from 'node:path';
import { startDrain } from '../../../src/clicks/drain.ts';
import { openJournal } from '../../../src/clicks/journal.ts';
import { config } from '../../../src/kernel/config.ts';
import { withOpenStore } from '../loadedStore.ts';
import { type BenchStore, storeAt } from '../product.ts';

/** What a process that moved a journal to the store needed for it. */
export interface Drained {
  ms: number;
  /** CPU-seconds of this process, its start left out. */
  cpuSeconds: number;
}

/** Moves the clicks of the journal in DATA_DIR to the store, once the parent says so. */
async function main([store = 'sqlite', database = '', folder = '']: string[]): Promise<void> {
  const there: BenchStore = storeAt(store, database, folder);
  await withOpenStore(there, async () => {
    const journal = await openJournal({
      folder: path.join(config.dataDir, 'clicks'),
      maxBytes: 100 * 1024 ** 3,
      sync: false,
    });
    process.send?.('ready');
    await new Promise((resolve) => process.once('message', resolve));
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
    const drain = startDrain({ journal, everyMs: 50 });
    while (journal.bytes() > 0) await drain.drainNow();
    const { user, system } = process.cpuUsage(cpu);
    process.send?.({ ms: performance.now() - startedAt, cpuSeconds: (user + system) / 1e6 } satisfies Drained);
    await drain.stop();
    await journal.close();
  });
  process.disconnect();
}

await main(process.argv.slice(2));
