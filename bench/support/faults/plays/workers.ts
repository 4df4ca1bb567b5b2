import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { JOBS } from '../../../../jobs/table.ts';
import { until } from '../../../../test/support/until.ts';
import { catchJobs, killWorkers, LOOK_MS, TAKEOVER_MS, untilTakenOver } from '../catchJobs.ts';
import type { Play, Stage } from '../Play.ts';
import { IMPORTED_URL, provokeJobs } from '../provokeJobs.ts';

/** A kind that was not caught while it ran is given up after this. */
const HUNT_MS = 420_000;
/** Between two reasons for each kind to run. */
const PROVOKE_MS = 8000;

const DEAD = "SELECT COUNT(*) AS count FROM pgboss.job WHERE name = 'deadLetters'";

/** Kills all workers in an instant while a job of each kind is active, and starts them again. */
async function killDuringJobs({ installation }: Stage): Promise<string> {
  const hunted = new Set(JOBS.map(({ queue }) => queue));
  const dead = new Set<string>();
  const client = await installation.store.connect();
  const endMs = Date.now() + HUNT_MS;
  let kills = 0;
  let provokedMs = 0;
  let reasons = 0;
  try {
    while (hunted.size > 0 && Date.now() < endMs && !isOnly(hunted, NEEDS_MORE)) {
      if (Date.now() - provokedMs > PROVOKE_MS) {
        provokedMs = Date.now();
        await provokeJobs(installation, hunted, reasons);
        reasons += 1;
      }
      const caught = await catchJobs(client, installation, hunted, dead);
      if (caught.length === 0) {
        await delay(LOOK_MS);
        continue;
      }
      kills += 1;
      for (const { name, attempt } of caught) {
        hunted.delete(name);
        dead.add(attempt);
      }
      await killWorkers(installation);
    }
    await untilTakenOver(client, dead);
    const imported = await untilImported(client);
    const [row] = (await client.query(DEAD)).rows;
    const never = hunted.size === 0 ? 'none' : [...hunted].join(', ');
    const caught = JOBS.length - hunted.size;
    return `${kills} times both workers killed with ${caught} of ${JOBS.length} kinds of jobs active; never active: ${never}; ${imported}; dead letters: ${row.count}`;
  } finally {
    await client.end();
  }
}

/** Kinds that run with ClickHouse alone, which this installation does not have: see the play `storeClicks`. */
const NEEDS_MORE: ReadonlySet<string> = new Set(['storeClicks']);

function isOnly(names: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...names].every((name) => others.has(name));
}

/** Until all imports have ended. Throws unless each of their rows is a link, once. */
async function untilImported(client: pg.Client): Promise<string> {
  const hasEnded = async () => Number((await client.query(RUNNING_IMPORTS)).rows[0].count) === 0;
  await until(hasEnded, 'imports to end', TAKEOVER_MS);
  const [{ rows, links, distinct }] = (await client.query(IMPORTED)).rows;
  if (rows !== links || links !== distinct)
    throw new Error(`${rows} rows were imported as ${links} links, of which ${distinct} are different`);
  return `${rows} rows of imports each one link`;
}

const RUNNING_IMPORTS = "SELECT COUNT(*) AS count FROM imports WHERE status IN ('pending', 'running')";
const IMPORTED = `SELECT (SELECT SUM(rows) FROM imports) AS rows, COUNT(*) AS links, COUNT(DISTINCT destination) AS distinct
  FROM links WHERE destination LIKE '${IMPORTED_URL}%'`;

export const WORKERS: Play[] = [
  { name: 'workers', about: 'both workers killed while a job of each kind is active', run: killDuringJobs },
];
