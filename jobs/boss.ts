import { PgBoss } from 'pg-boss';
import type { Config } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { openEmbeddedDatabase } from './embeddedDatabase.ts';
import { FORMER_QUEUES, QUEUES } from './queues.ts';
import { startVacuum } from './startVacuum.ts';

/** How often jobs that are kept no longer are deleted: by itself pg-boss does so once a day. */
const MAINTENANCE_SECONDS = 60;

export interface Boss {
  boss: PgBoss;
  stop(): Promise<void>;
}

/** Starts pg-boss on PostgreSQL, or on PGlite in DATA_DIR, with every queue in place. */
export async function startBoss(config: Config): Promise<Boss> {
  const embedded = config.databaseUrl ? null : await openEmbeddedDatabase(config.dataDir);
  // Jobs of dead processes are looked for this often: until then they count as in flight for their webhook.
  const shared = {
    schedule: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    persistWarnings: false,
  } as const;
  const boss = embedded
    ? new PgBoss({ ...shared, db: embedded, backend: 'pglite', monitorVacuum: false, reindex: false })
    : new PgBoss({ ...shared, connectionString: config.databaseUrl as string, max: 5, application_name: 'svc-jobs' });
  // An error event without a listener would end the process: the database may be away for a while.
  boss.on('error', (error) => log.warn({ err: error }, 'pg-boss reports an error'));
  boss.on('warning', (warning) => log.debug({ warning }, 'pg-boss warns'));
  await boss.start();
  for (const [name, options] of Object.entries(QUEUES)) {
    await boss.createQueue(name, options);
    const { policy: _, ...changeable } = options;
    await boss.updateQueue(name, changeable);
  }
  for (const name of FORMER_QUEUES) await boss.deleteQueue(name);
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

/**
 * The embedded store has one process: jobs that are active at its start belonged to one that was killed. The sweep finds
 * what they were for; to wait again they would have to make way for those that came meanwhile.
 */
async function forgetJobsOfDeadProcess(boss: PgBoss): Promise<void> {
  await boss.getDb().executeSql("DELETE FROM pgboss.job WHERE state = 'active'");
}
