import { type Db, PgBoss, type Queue } from 'pg-boss';
import { PostgresClient } from '../src/db/connection/postgresClient.ts';
import { StoreIsOlder } from '../src/db/migrationRecords.ts';
import type { Config } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { ADMIN_CALL } from '../src/kernel/version.ts';
import { openEmbeddedDatabase } from './embeddedDatabase.ts';
import type { Job } from './Job.ts';
import { FORMER_QUEUES, queuesOf, SUPERVISE_MS } from './queues.ts';

/** How often expired jobs are deleted; the default of pg-boss is once a day. */
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
    // The process that sweeps does this for all.
    supervise: false,
    // Shorter than the interval of supervision, so that no round is skipped.
    monitorIntervalSeconds: SUPERVISE_MS / 1000 - 1,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    persistWarnings: false,
    // No job depends on another one.
    flowIntervalSeconds: 3600,
  } as const;
  const boss = embedded
    ? new PgBoss({ ...shared, db: embedded, backend: 'pglite', monitorVacuum: false, reindex: false })
    : new PgBoss({ ...shared, ...onPostgres(config), migrate: config.migrate === 'auto' });
  // An error event without a listener would end the process, and the database may be down for a while.
  boss.on('error', (error) => log.warn({ err: error }, 'pg-boss reported an error'));
  boss.on('warning', (warning) => log.debug({ warning }, 'pg-boss reported a warning'));
  const close = async () => {
    await boss
      .stop({ graceful: false, close: true })
      .catch((error) => log.warn({ err: error }, 'pg-boss did not stop cleanly'));
    await embedded?.close();
  };
  try {
    await boss.start().catch((error: Error) => throwLackingTables(error, config));
    await createQueues(boss, table);
    if (embedded) await deleteJobsOfDeadProcess(boss);
  } catch (error) {
    await close();
    throw error;
  }
  const vacuum = embedded ? startVacuum(embedded) : null;
  return {
    boss,
    async stop() {
      await vacuum?.stop();
      await close();
    },
  };
}

function onPostgres(config: Config) {
  return {
    connectionString: config.databaseUrl as string,
    backend: config.jobsBackend,
    max: 5,
    application_name: 'svc-jobs',
    // Handed on to its pool.
    Client: PostgresClient,
  };
}

/** Makes or changes the tables of pg-boss in PostgreSQL. The embedded store of jobs does that at each start. */
export async function migrateJobs(config: Config): Promise<void> {
  if (!config.databaseUrl) return;
  const boss = new PgBoss({ ...onPostgres(config), schedule: false, supervise: false, migrate: true });
  await boss.start();
  await boss.stop({ graceful: false, close: true });
}

function throwLackingTables(error: Error, config: Config): never {
  if (config.migrate === 'auto' || !/pg-boss is not installed|pg-boss database requires migrations/.test(error.message))
    throw error;
  throw new StoreIsOlder(
    `The store lacks tables of pg-boss, and MIGRATE is off. Run ${ADMIN_CALL} migrate, then start again.`,
  );
}

/** Creates the queues that are not there, and changes those whose options differ: a start asks once where nothing has changed. */
async function createQueues(boss: PgBoss, table: readonly Job[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name, ...options } of queuesOf(table)) {
    const there = known.get(name);
    if (!there) await boss.createQueue(name, options);
    const { policy: _, ...changeable } = options;
    if (there && !isSame(there, changeable)) await boss.updateQueue(name, changeable);
  }
  for (const name of FORMER_QUEUES) if (known.has(name)) await boss.deleteQueue(name);
}

function isSame(there: Queue, options: Omit<Queue, 'name' | 'policy'>): boolean {
  return Object.entries(options).every(([name, value]) => there[name as keyof Queue] === value);
}

/**
 * The embedded store has one process: jobs that are active at its start belonged to a process that was killed. They are
 * deleted, because a newer job of the same key may be waiting, and the sweep finds their work again.
 */
async function deleteJobsOfDeadProcess(boss: PgBoss): Promise<void> {
  await boss.getDb().executeSql("DELETE FROM pgboss.job WHERE state = 'active'");
}

const VACUUM_INTERVAL_MS = 600_000;

/** The tables with dead rows: every job is written three times and then deleted. */
const VACUUM = 'VACUUM pgboss.job_common, pgboss.queue';

/**
 * Reclaims the space of deleted jobs now and every ten minutes. PGlite has no autovacuum, and a day with one job a second
 * would leave 50 MB behind. A run takes about ten milliseconds.
 */
export function startVacuum(database: Db): { stop(): Promise<void> } {
  return startLoop(
    () => database.executeSql(VACUUM),
    () => VACUUM_INTERVAL_MS,
    (error) => log.warn({ err: error }, 'cannot vacuum the job store; trying again later'),
  );
}
