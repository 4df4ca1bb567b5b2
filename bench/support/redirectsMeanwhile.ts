import { fork } from 'node:child_process';
import type { SteadyOrder, SteadyResult } from './steadyRedirects.ts';

/** Follows links from another process at a steady rate while `work` runs again and again, if there is any. */
export async function redirectsMeanwhile(order: SteadyOrder, work?: () => Promise<unknown>): Promise<SteadyResult> {
  const child = fork(new URL('./steadyRedirects.ts', import.meta.url), [], { execArgv: ['--import=tsx'] });
  let isDone = false;
  const result = new Promise<SteadyResult>((resolve, reject) => {
    child.once('message', (message) => resolve(message as SteadyResult));
    child.once('exit', () => reject(new Error('The process that follows links ended')));
  }).finally(() => {
    isDone = true;
  });
  child.send(order);
  const working = (async () => {
    while (work && !isDone) await work();
  })();
  try {
    const [measured] = await Promise.all([result, working]);
    return measured;
  } finally {
    child.kill('SIGKILL');
  }
}
