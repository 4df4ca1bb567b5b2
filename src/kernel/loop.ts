/** Repeated background work; see `startLoop`. */
export interface Loop {
  /** Starts a run now, or right after the current one. */
  wake(): void;
  /** Ends the loop. Resolves when the current run has ended. It is safe to call it twice. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `everyMs` milliseconds and when woken, never concurrently. Errors go to `onError`, and the loop goes
 * on.
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
