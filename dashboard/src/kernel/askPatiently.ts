import { GraphqlError } from './GraphqlError.ts';

/** Refusals that end by themselves: too many requests, or a store or a service that is away for a moment. */
const PASSING = new Set(['rate_limited', 'unavailable', 'unreachable']);

/** Seconds between tries where the server names none; it is tried once more than there are. */
const WAITS_SECONDS = [1, 2, 4, 8, 15];

/**
 * Sends one of many requests that belong together, again after a pause where it was refused for a moment, so that a hiccup
 * does not end the work of minutes. `send` is told how often it was sent before: what was refused as `unavailable` may have
 * taken effect. Throws the refusal when it lasts, is another one, or `signal` stops the work.
 */
export async function askPatiently<Answer>(
  send: (sentBefore: number) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send(tries);
    } catch (error) {
      const wait = WAITS_SECONDS[tries];
      if (!(error instanceof GraphqlError) || !PASSING.has(error.code) || wait === undefined) throw error;
      await pause((error.retryAfterSeconds ?? wait) * 1000, signal);
      if (signal.aborted) throw error;
    }
  }
}

/** Waits, but not longer than until `signal` is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
