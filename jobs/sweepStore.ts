import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { signals } from '../src/kernel/signals.ts';
import type { Job, JobContext } from './Job.ts';
import { SUPERVISE_MS } from './queues.ts';

/**
 * Asks the store again and again what is due, and makes jobs of it, until `signal` aborts. This is the job `sweep`: with
 * several processes on one store one of them sweeps, and another takes over when its heartbeat stays away. It also looks
 * after the job store for all: jobs of dead processes are given to others, old ones are deleted.
 */
export async function sweepStore(context: JobContext, _data: object, signal: AbortSignal): Promise<void> {
  const supervision = startLoop(
    () => context.supervise(),
    () => SUPERVISE_MS,
    (error) => log.warn({ err: error }, 'the job store could not be looked after; it will be tried again'),
  );
  await sweepUntil(signal, sweptBy(context, 'one'), context);
  await supervision.stop();
}

/**
 * Sweeps for the first seconds of a process, even if another one does. When the sweeping process was killed, its heartbeat
 * counts for a while; until then nothing that is due would be found, also by the process that was started in its place.
 * Two processes that sweep make no job twice.
 */
export async function sweepAtStart(context: JobContext, forMs: number, signal: AbortSignal): Promise<void> {
  if (forMs > 0) await sweepStore(context, {}, AbortSignal.any([signal, AbortSignal.timeout(forMs)]));
}

/** Those that each process sweeps for itself. */
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
      if (sweep.makeJobs) await sweep.makeJobs(context);
      else if (!sweep.isDue || (await sweep.isDue())) await context.makeOne(job);
    },
    sweep.everyMs,
    (error) => log.warn({ err: error, queue }, 'the store could not be swept; it will be tried again'),
  );
  // A job that runs may have asked already whether there is more: what was announced meanwhile is swept when it ends.
  let isMissed = false;
  const stopHearing = sweep.wokenBy
    ? signals.on(sweep.wokenBy, () => {
        if (context.isWorking(queue)) isMissed = true;
        else loop.wake();
      })
    : () => {};
  const stopWatching = context.onEnd(queue, () => {
    if (isMissed) loop.wake();
    isMissed = false;
  });
  return async () => {
    stopHearing();
    stopWatching();
    await loop.stop();
  };
}
