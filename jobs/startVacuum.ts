import type { Db } from 'pg-boss';
import { log } from '../src/kernel/log.ts';
import { type Loop, startLoop } from '../src/kernel/loop.ts';

const PAUSE_MS = 600_000;

/** Every job is written three times and deleted. */
const VACUUM = 'VACUUM pgboss.job_common, pgboss.queue';

/**
 * Makes room of deleted jobs now and every ten minutes: PGlite has nobody who does, and a day of one job a second would
 * leave 50 MB behind. It takes some ten milliseconds.
 */
export function startVacuum(database: Db): Loop {
  return startLoop(
    () => database.executeSql(VACUUM),
    () => PAUSE_MS,
    (error) => log.warn({ err: error }, 'the job store could not be tidied; it is tried again'),
  );
}
