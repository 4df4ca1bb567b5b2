import { type Db, PgBoss } from 'pg-boss';
import type { Config } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { openEmbeddedDatabase } from './embeddedDatabase.ts';
import type { Job } from './Job.ts';
import { FORMER_QUEUES, queuesOf, SUPERVISE_MS } from './queues.ts';

/** How often jobs that are kept no longer are deleted: by itself pg-boss does so once a day. */
const MAINTENANCE_SECONDS = 60;

export interface Boss {
  boss: PgBoss;
  stop(): Promise<void>;
}

/** Starts pg-boss on PostgreSQL, or on PGlite in DATA_DIR, with the queues of all these jobs. */
export async function startBoss(config: Config, table: readonly Job[]): Promise<Boss> {
  const embedded = config.databaseUrl ? null : await openEmbeddedDatabase(config.dataDir);
  const shared = {
    schedule: false,
    // One process does so for all: the one that sweeps.
    supervise: false,
    // Less than what lies between two rounds, which would otherwise be passed over now and then.
    monitorIntervalSeconds: SUPERVISE_MS / 1000 - 1,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    persistWarnings: false,
    // No job waits for another one.
    flowIntervalSeconds: 3600,
  } as const;
  const boss = embedded
    ? new PgBoss({ ...shared, db: embedded, backend: 'pglite', monitorVacuum: false, reindex: false })
    : new PgBoss({ ...shared, connectionString: config.databaseUrl as string, max: 5, application_name: 'svc-jobs' });
  // An error event without a listener would end the process: the database may be away for a while.
  boss.on('error', (error) => log.warn({ err: error }, 'pg-boss reports an error'));
  boss.on('warning', (warning) => log.debug({ warning }, 'pg-boss warns'));
  await boss.start();
  await makeQueues(boss, table);
  if (embedded) await forgetJobsOfDeadProcess(boss);
  const vacuum = embedded ? startVacuum(embedded) : null;
  return {
    boss,
    async stop() {
      await vacuum?.stop();
      await boss
        .stop({ graceful: false, close: true })
        .catch((error) => log.warn({ err: error }, 'pg-boss did not stop cleanly'));
      await embedded?.close();
    },
  };
}

async function makeQueues(boss: PgBoss, table: readonly Job[]): Promise<void> {
  for (const { name, ...options } of queuesOf(table)) {
    await boss.createQueue(name, options);
    const { policy: _, ...changeable } = options;
    await boss.updateQueue(name, changeable);
  }
  for (const name of FORMER_QUEUES) await boss.deleteQueue(name);
}

/**
 * The embedded store has one process: jobs that are active at its start belonged to one that was killed. The sweep finds
 * what they were for; to wait again they would have to make way for those that came meanwhile.
 */
async function forgetJobsOfDeadProcess(boss: PgBoss): Promise<void> {
  await boss.getDb().executeSql("DELETE FROM pgboss.job WHERE state = 'active'");
}

const VACUUM_PAUSE_MS = 600_000;

/** Every job is written three times and deleted. */
const VACUUM = 'VACUUM pgboss.job_common, pgboss.queue';

/**
 * Makes room of deleted jobs now and every ten minutes: PGlite has nobody who does, and a day of one job a second would
 * leave 50 MB behind. It takes some ten milliseconds.
 */
export function startVacuum(database: Db): { stop(): Promise<void> } {
  return startLoop(
    () => database.executeSql(VACUUM),
    () => VACUUM_PAUSE_MS,
    (error) => log.warn({ err: error }, 'the job store could not be tidied; it will be tried again'),
  );
}
