import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { until } from '../../../test/support/until.ts';
import type { Installation } from './Installation.ts';

/** A kind of job runs for some milliseconds: how long to wait between two looks. */
export const LOOK_MS = 1;
export const TAKEOVER_MS = 120_000;
/** What frozen workers have sent already is answered within this. */
const IN_FLIGHT_MS = 40;

export interface ActiveJob {
  name: string;
  /** The job and its attempt. */
  attempt: string;
}

/** The job store itself is asked; the embedded tables have the same names. */
const ACTIVE = `SELECT name, id || ' ' || started_on AS attempt FROM pgboss.job WHERE state = 'active'`;

/** Active jobs, if one of a hunted kind is among them; the workers are frozen then, and otherwise go on. */
export async function catchJobs(
  client: pg.Client,
  installation: Installation,
  hunted: ReadonlySet<string>,
  dead: ReadonlySet<string>,
): Promise<ActiveJob[]> {
  const isCaught = (jobs: ActiveJob[]) => jobs.some(({ name }) => hunted.has(name));
  if (!isCaught(await activeJobs(client, dead))) return [];
  for (const worker of installation.of('worker')) worker.freeze();
  await delay(IN_FLIGHT_MS);
  const jobs = await activeJobs(client, dead);
  if (isCaught(jobs)) return jobs;
  for (const worker of installation.of('worker')) worker.thaw();
  return [];
}

/** Those of living workers. */
async function activeJobs(client: pg.Client, dead: ReadonlySet<string>): Promise<ActiveJob[]> {
  const { rows } = await client.query<ActiveJob>(ACTIVE);
  return rows.filter(({ attempt }) => !dead.has(attempt));
}

/** Until no job of a killed worker counts as running any more. */
export async function untilTakenOver(client: pg.Client, dead: ReadonlySet<string>): Promise<void> {
  const isOver = async () => {
    const { rows } = await client.query<ActiveJob>(ACTIVE);
    return rows.every(({ attempt }) => !dead.has(attempt));
  };
  await until(isOver, 'jobs of killed workers to be taken over', TAKEOVER_MS);
}

/** Ends all workers in an instant, and starts them again. */
export async function killWorkers(installation: Installation): Promise<void> {
  await Promise.all(installation.of('worker').map((worker) => worker.kill()));
  await Promise.all(installation.of('worker').map((worker) => worker.start()));
}
