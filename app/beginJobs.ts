import type { Statements } from '../jobs/readQueues.ts';
import { startJobs } from '../jobs/startJobs.ts';
import type { Config } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';

export interface BegunJobs {
  /** Reads the job store, as soon as it is open. */
  store: Statements;
  /**
   * Fulfilled when the product may be ready. On PostgreSQL that is when the jobs run: a release whose tables of jobs are missing
   * must not count as ready. The embedded store of jobs is disposable and opens in a second or two, which nobody has to wait for.
   */
  ready(): Promise<unknown>;
  /** `listener` receives what prevents jobs from starting after the product was ready. */
  onFault(listener: (error: unknown) => void): void;
  /** Waits for a start that is under way, and for the jobs that are running. */
  stop(): Promise<void>;
}

/**
 * Starts the jobs while the rest of the product starts, and goes on after it. Meanwhile no work is lost: what is due stands in
 * rows, and the first sweep finds it.
 */
export function beginJobs(config: Config): BegunJobs {
  const starting = startJobs(config);
  let isStopping = false;
  // Failures are reported by `ready` or `onFault`.
  starting.catch(() => {});
  return {
    store: { executeSql: async (text) => (await starting).store.executeSql(text) },
    // What has failed by then prevents the start.
    ready: async () => (config.databaseUrl ? starting : Promise.race([starting, null])),
    onFault(listener) {
      starting.catch((error) => {
        if (isStopping) log.warn({ err: error }, 'the jobs did not start before the process stopped');
        else listener(error);
      });
    },
    async stop() {
      isStopping = true;
      const running = await starting.catch(() => null);
      await running?.stop();
    },
  };
}
