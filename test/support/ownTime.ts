import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 20;
const SAMPLES = 5;
/** Nobody waits longer than this. */
const MOST_MS = 60_000;

/**
 * Asks again and again until `isSo`, and gives how many milliseconds that took without those that the machine was late: what a
 * round of asking and waiting takes beyond its usual time. For contracts in milliseconds, which a busy machine does not keep.
 * Begin with `usualRound` while nothing else happens.
 */
export async function ownTimeUntil(isSo: () => Promise<boolean>, usualMs: number, what: string): Promise<number> {
  const startedAt = performance.now();
  let ownMs = 0;
  for (;;) {
    const roundAt = performance.now();
    if (await isSo()) return ownMs;
    await delay(PAUSE_MS);
    ownMs += Math.min(performance.now() - roundAt, usualMs);
    if (performance.now() - startedAt > MOST_MS) throw new Error(`Waited ${MOST_MS} ms for ${what}`);
  }
}

/** How long a round of asking and waiting takes where the machine is not late: the shortest of some. */
export async function usualRound(ask: () => Promise<unknown>): Promise<number> {
  const rounds: number[] = [];
  for (let at = 0; at < SAMPLES; at += 1) {
    const roundAt = performance.now();
    await ask();
    await delay(PAUSE_MS);
    rounds.push(performance.now() - roundAt);
  }
  return Math.min(...rounds);
}
