import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until there is an answer; an error naming `what` after `withinMs`. */
export async function until<Result>(
  ask: () => Result | Promise<Result>,
  what: string | (() => string),
  withinMs = 30_000,
): Promise<NonNullable<Result>> {
  const end = Date.now() + withinMs;
  for (;;) {
    const result = await ask();
    if (result) return result;
    if (Date.now() > end) throw new Error(`Waited ${withinMs} ms for ${typeof what === 'string' ? what : what()}`);
    await delay(20);
  }
}
