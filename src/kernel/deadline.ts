import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Waits for `asked`, but no longer than that: then it throws what `late` makes. What was asked for goes on by itself. A
 * process that was held up reads what has arrived meanwhile before it gives up.
 */
export async function within<Result>(asked: Promise<Result>, milliseconds: number, late: () => Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => void nextTurn().then(() => reject(late())), milliseconds);
  });
  try {
    return await Promise.race([asked, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
