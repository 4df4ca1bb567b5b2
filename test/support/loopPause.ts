/** How often the probe looks, which adds nothing to what it measures. */
const EVERY_MS = 1;

declare const process: NodeJS.Process & { threadCpuUsage(): { user: number; system: number } };

/** The most processor time, in milliseconds, that this thread spent before it turned to others, while `work` ran. */
export async function longestStretchMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let before = spentMs();
  const look = () => {
    const now = spentMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  };
  // Processor time, because on a busy machine a thread also waits for its turn.
  const timer = setInterval(look, EVERY_MS);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return longestMs;
}

function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
