import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Clock ticks of Linux in a second. */
const TICKS = 100;
const SAMPLE_MS = 50;

/** CPU-seconds that all processes of the PostgreSQL on this machine have used, those that ended included. */
export function postgresCpuSeconds(): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      if (!stat.includes('(postgres)')) continue;
      const [utime = 0, stime = 0, ofDeadUser = 0, ofDeadSystem = 0] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 15)
        .map(Number);
      ticks += utime + stime + ofDeadUser + ofDeadSystem;
    } catch {
      // It ended meanwhile; its parent has its time.
    }
  }
  return ticks / TICKS;
}

/** Samples what the sessions of a database wait for, until `stop`, which returns how often each thing was seen. */
export async function watchWaits(url: string): Promise<{ stop(): Promise<Record<string, number>> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const seen: Record<string, number> = {};
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      const { rows } = await client.query(
        `SELECT COALESCE(wait_event_type || ':' || wait_event, 'running') AS what FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
      );
      for (const { what } of rows) seen[what] = (seen[what] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await loop;
      await client.end();
      return seen;
    },
  };
}
