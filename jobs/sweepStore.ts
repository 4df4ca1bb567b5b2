import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { signals } from '../src/kernel/signals.ts';
import type { Job, JobContext } from './Job.ts';
import { SUPERVISE_MS } from './queues.ts';

/**
 * Polls the store for due work and creates jobs for it until `signal` aborts. This is the job `sweep`: of several processes
 * on one store, one sweeps, and another takes over when its heartbeat ends. It also maintains the job store for all
 * processes: jobs of dead processes are handed to others, old jobs are deleted.
 */
export async function sweepStore(context: JobContext, _data: object, signal: AbortSignal): Promise<void> {
  const supervision = startLoop(
    () => context.supervise(),
    () => SUPERVISE_MS,
    (error) => log.warn({ err: error }, 'cannot maintain the job store; trying again'),
  );
  await sweepUntil(signal, sweptBy(context, 'one'), context);
  await supervision.stop();
}

/**
 * Sweeps for the first seconds of a process, even if another process sweeps. After a sweeping process was killed, its
 * heartbeat is valid for a while, and nothing that is due would be found until it ends, not even by the process that
 * replaces it. Two processes that sweep create no job twice.
 */
export async function sweepAtStart(context: JobContext, forMs: number, signal: AbortSignal): Promise<void> {
  if (forMs > 0) await sweepStore(context, {}, AbortSignal.any([signal, AbortSignal.timeout(forMs)]));
}

/** Runs the sweeps that each process does for itself. */
export async function sweepOwn(context: JobContext, signal: AbortSignal): Promise<void> {
  await sweepUntil(signal, sweptBy(context, 'each'), context);
}

function sweptBy({ table }: JobContext, by: 'one' | 'each'): Job[] {
  return table.filter(({ sweep }) => sweep?.by === by);
}

async function sweepUntil(signal: AbortSignal, jobs: Job[], context: JobContext): Promise<void> {
  if (signal.aborted) return;
  const ends = jobs.map((job) => startSweep(job, context));
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.all(ends.map((end) => end()));
}

function startSweep(job: Job, context: JobContext): () => Promise<void> {
  const { queue, sweep } = job;
  if (!sweep) return async () => {};
  const loop = startLoop(
    async () => {
      if (sweep.createJobs) await sweep.createJobs(context);
      else if (!sweep.isDue || (await sweep.isDue())) await context.createOne(job);
    },
    sweep.everyMs,
    (error) => log.warn({ err: error, queue }, 'cannot sweep the store; trying again'),
  );
  // A running job may have read already whether there is more, so an announcement during it is swept when it ends.
  let isMissed = false;
  const unsubscribe = sweep.wokenBy
    ? signals.on(sweep.wokenBy, () => {
        if (context.isRunning(queue)) isMissed = true;
        else loop.wake();
      })
    : () => {};
  const unsubscribeFromEnds = context.onEnd(queue, () => {
    if (isMissed) loop.wake();
    isMissed = false;
  });
  return async () => {
    unsubscribe();
    unsubscribeFromEnds();
    await loop.stop();
  };
}
