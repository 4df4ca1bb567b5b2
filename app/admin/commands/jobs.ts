import { readFromEmbedded } from '../../../jobs/embeddedDatabase.ts';
import type { Job } from '../../../jobs/Job.ts';
import { type QueueState, readQueues } from '../../../jobs/readQueues.ts';
import { JOBS } from '../../../jobs/table.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { config } from '../../../src/kernel/config.ts';
import { type AdminCommand, type LentByProduct, WrongArguments } from './AdminCommand.ts';

export const JOB_COMMANDS: AdminCommand[] = [
  {
    name: 'jobs',
    usage: '',
    about: 'prints every kind of job with its waiting and running jobs and its dead letters',
    async run(args, { product }) {
      if (args.length > 0) throw new WrongArguments();
      const states = await statesOf(product);
      return JOBS.map((job, at) => describe(job, states?.[at] ?? null)).join('\n\n');
    },
  },
];

/** Null: there is no job store yet, because the product was never started. */
async function statesOf(product: LentByProduct | null): Promise<QueueState[] | null> {
  if (product) return readQueues(JOBS, product.jobStore);
  if (!config.databaseUrl) return readFromEmbedded(config.dataDir, (database) => readQueues(JOBS, database));
  const [schema] = await queryRaw(
    "SELECT 1 AS one FROM pg_tables WHERE schemaname = 'pgboss' AND tablename = 'job'",
    [],
  );
  return schema ? readQueues(JOBS, { executeSql: async (text) => ({ rows: await queryRaw(text, []) }) }) : null;
}

function describe(job: Job, state: QueueState | null): string {
  const lines = [
    job.queue.padEnd(20) + job.about,
    triggerOf(job),
    `${countOf(job)}; ${job.retryLimit} retries; at most ${job.expireIn / 3600} h`,
    ...(state ? [stateOf(state)] : ['no job store yet']),
    ...(state?.lastError ? [`last error: ${firstLine(state.lastError)}`] : []),
  ];
  return lines.join(`\n${' '.repeat(20)}`);
}

function triggerOf({ sweep }: Job): string {
  if (!sweep) return 'always';
  const every = `every ${sweep.everyMs() / 1000} s${sweep.isDue || sweep.createJobs ? ' if something is due' : ''}`;
  return sweep.wokenBy ? `${every}, and at once when something is announced` : every;
}

function countOf({ perProcess, inAll }: Job): string {
  return `up to ${perProcess} at once per process, ${inAll === 0 ? 'one for each webhook' : `${inAll} in all`}`;
}

function stateOf({ waiting, oldestSeconds, later, active, dead }: QueueState): string {
  const oldest = waiting > 0 ? ` (the oldest for ${Math.round(oldestSeconds)} s)` : '';
  return `${waiting} waiting${oldest}, ${later} for later, ${active} running, ${dead} dead`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
