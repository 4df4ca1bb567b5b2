import { setTimeout as delay } from 'node:timers/promises';
import type { Statements } from '../jobs/readQueues.ts';
import { type RunningJobs, startJobs } from '../jobs/startJobs.ts';
import type { Config } from '../src/kernel/config.ts';
import { isDiskFull } from '../src/kernel/diskFailures.ts';
import { log } from '../src/kernel/log.ts';

/** The first pause between two attempts to start the jobs of a product that is ready; each further one is twice as long. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30_000;

export interface BegunJobs {
  /** Reads the job store, as soon as it is open. Rejects where the last attempt failed. */
  store: Statements;
  /**
   * Fulfilled when the product may be ready. On PostgreSQL that is when the jobs run: a release whose tables of jobs are missing
   * must not count as ready. The embedded store of jobs is disposable and opens in a second or two, which nobody has to wait for.
   * Rejects if the jobs have failed to start by then.
   */
  ready(): Promise<unknown>;
  /** Waits for a start that is under way, and for the jobs that are running. */
  stop(): Promise<void>;
}

/**
 * Starts the jobs while the rest of the product starts, and goes on after it. Meanwhile no work is lost: what is due stands in
 * rows, and the first sweep finds it. Where the embedded job store does not open on a full disk, or does not open once the product
 * is ready, it is tried again: links are followed all the same.
 */
export function beginJobs(config: Config): BegunJobs {
  const stopping = new AbortController();
  const mayWait = (error: unknown) => !config.databaseUrl && isDiskFull(error);
  let isReady = false;
  let attempt: Promise<RunningJobs>;
  const start = async (): Promise<RunningJobs> => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        attempt = startJobs(config);
        const running = await attempt;
        if (pauseMs > FIRST_PAUSE_MS) log.info('the jobs have started');
        return running;
      } catch (error) {
        if (stopping.signal.aborted) log.warn({ err: error }, 'the jobs did not start before the process stopped');
        if (stopping.signal.aborted || !(isReady || mayWait(error))) throw error;
        const what = 'the jobs do not start: webhooks, mails and imports wait';
        log.error({ err: error, retryInSeconds: pauseMs / 1000 }, what);
        await delay(pauseMs, undefined, { signal: stopping.signal });
      }
    }
  };
  const starting = start();
  // `ready` reports what fails before the product is ready.
  starting.catch(() => {});
  return {
    store: { executeSql: async (text) => (await attempt).store.executeSql(text) },
    async ready() {
      isReady = !config.databaseUrl;
      // What has failed by then prevents the start.
      await (config.databaseUrl ? starting : Promise.race([starting, null]));
    },
    async stop() {
      stopping.abort();
      const running = await starting.catch(() => null);
      await running?.stop();
    },
  };
}
