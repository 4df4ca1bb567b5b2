import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { dialect } from './connection/database.ts';
import { queryRaw } from './query.ts';

/** The shortest that the product works well with, in seconds; for statements it has a limit of its own. */
const LEAST_SECONDS: Record<string, () => number> = {
  statement_timeout: () => config.databaseQuerySeconds,
  transaction_timeout: () => config.databaseQuerySeconds,
  // How long a transaction waits for a row that others change, in the worst minute of a busy store.
  lock_timeout: () => 10,
  // Each connection has its own in the pool; the connections of jobs have not.
  idle_in_transaction_session_timeout: () => 5,
  // The pool closes what was idle for 30 seconds by itself, and the listening connection asks every 5 seconds.
  idle_session_timeout: () => 60,
};

interface TimeoutRow {
  name: string;
  /** In milliseconds; 0: none. */
  milliseconds: string | number;
}

/**
 * Warns of each timeout that the server, the database or the user sets shorter than the product needs: work that meets it is
 * tried again, and may never end. Managed databases often come with one.
 */
export async function warnOfTimeouts(): Promise<void> {
  if (dialect() === 'sqlite') return;
  const names = Object.keys(LEAST_SECONDS).map((name) => `'${name}'`);
  const rows = await queryRaw<TimeoutRow>(
    `SELECT name, reset_val AS milliseconds FROM pg_settings WHERE name IN (${names.join()}) ORDER BY name`,
    [],
  );
  for (const { name, milliseconds } of rows) {
    const [is, least] = [Number(milliseconds) / 1000, LEAST_SECONDS[name]?.() ?? 0];
    if (is === 0 || is >= least) continue;
    log.warn(
      { setting: name, seconds: is, neededSeconds: least },
      `${name} of the database is ${is} s. Work that takes longer fails and is tried again. Set it to ${least} s or more, ` +
        `or to 0: ALTER ROLE … SET ${name} = '${least}s'.`,
    );
  }
}
