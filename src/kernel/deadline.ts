import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Waits for `asked`, but no longer than that: then it throws what `late` makes. What was asked for goes on by itself. A
 * process that was held up reads what has arrived meanwhile before it gives up.
 */
export function within<Result>(asked: Promise<Result>, milliseconds: number, late: () => Error): Promise<Result> {
  // Not by Promise.race, which makes three more promises: every request comes by here several times.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => void nextTurn().then(() => reject(late())), milliseconds);
    asked.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
