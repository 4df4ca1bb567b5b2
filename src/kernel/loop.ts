/** Work that repeats in the background; see `startLoop`. */
export interface Loop {
  /** Runs now, or at once again if it is running. */
  wake(): void;
  /** Resolves when the run in hand has ended; nothing runs after that. Can be called twice. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `everyMs` milliseconds and when woken, never twice at the same time. What it throws goes to
 * `onError` and ends nothing.
 */
export function startLoop(
  work: () => Promise<unknown>,
  everyMs: () => number,
  onError: (error: unknown) => void,
): Loop {
  let isStopped = false;
  let isWoken = false;
  let endPause = () => {};

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, everyMs());
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!isStopped) {
      isWoken = false;
      await work().catch(onError);
      if (!isStopped && !isWoken) await pause();
    }
  };
  const running = run();
  return {
    wake() {
      isWoken = true;
      endPause();
    },
    async stop() {
      isStopped = true;
      endPause();
      await running;
    },
  };
}
