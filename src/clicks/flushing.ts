/** Nobody waits longer for clicks to reach the store: in a flood they are late. */
const PATIENCE_MS = 1000;

/**
 * A function that moves what is in the journal to the store. Those who ask while it is moved share the next move, which
 * begins after they asked.
 */
export function flushing(bytes: () => number, drainNow: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    running = drainNow().finally(() => {
      running = null;
    });
    return running;
  };
  return async () => {
    if (bytes() === 0 && !running) return;
    next ??= (running ?? Promise.resolve()).then(() => {
      next = null;
      return run();
    });
    await inTime(next);
  };
}

async function inTime(moved: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([moved, late]).finally(() => clearTimeout(timer));
}
