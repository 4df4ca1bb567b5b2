import path from 'node:path';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { log, WarningThrottle } from '../kernel/log.ts';
import { startLoop } from '../kernel/loop.ts';
import { yieldToBusyLoop } from '../kernel/yield.ts';
import { foldLinkCounts } from './linkCountStore.ts';
import { listeningProjects } from './listeningProjects.ts';
import { moveSegment, type Segments, type StoreMiddleware, UnreadableSegment } from './moveSegment.ts';
import { recordDrained, registerDrain, unregisterDrain } from './storedUntil.ts';

export interface Drain {
  /** Moves all clicks appended so far; resolves also when the store is down and the clicks stay in the journal. */
  drainNow(): Promise<void>;
  /** Drains a last time. Can be called twice. */
  stop(): Promise<void>;
}

interface DrainOptions {
  journal: Segments;
  everyMs: number;
  /** The name of the journal in the store; null: not known. */
  name?: string | null;
  /** Where rejected.log lists the clicks that the store refuses; defaults to the folder of the journal. */
  folder?: string;
  /** Whether the journal is so full that the drain no longer yields to redirects; without it the drain never yields. */
  isUrgent?: () => boolean;
  /** Wraps each write to the store. */
  middleware?: StoreMiddleware;
}

/** Longest pause between attempts while the store is down. */
const LONGEST_PAUSE_MS = 5000;

/** Moves clicks from the journal to the store in a loop, segment by segment, never two at the same time. */
export function startDrain({
  journal,
  name = null,
  everyMs,
  folder = path.join(config.dataDir, 'clicks'),
  isUrgent = () => true,
  middleware = (clicks, store) => store(clicks),
}: DrainOptions): Drain {
  const warnings = new WarningThrottle((message) => log.warn(message));
  const rejectedFile = path.join(folder, 'rejected.log');
  let pauseMs = everyMs;
  let latest = Promise.resolve();
  let stopping: Promise<void> | undefined;
  let isDrained = false;

  const run = async () => {
    const begunMs = clock.now();
    try {
      isDrained = false;
      const yieldNow = yieldToBusyLoop(isUrgent);
      await drainOnce(journal, { rejectedFile, middleware, yieldNow, journal: name }, warnings);
      await recordDrained(folder, begunMs);
      isDrained = true;
      pauseMs = everyMs;
    } catch (error) {
      pauseMs = Math.max(everyMs, Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
      warnings.warn(
        'store',
        `Clicks wait in the journal because the store does not accept them: ${(error as Error).message}`,
      );
    }
  };
  const drainNow = () => {
    latest = latest.then(run);
    return latest;
  };
  registerDrain(folder, drainNow);
  const loop = startLoop(
    drainNow,
    () => pauseMs,
    () => {},
  );
  return {
    drainNow,
    stop() {
      stopping ??= loop
        .stop()
        .then(drainNow)
        .then(() => unregisterDrain(folder, isDrained))
        .catch((error) =>
          log.debug({ err: error }, 'could not record in the store that this process no longer drains clicks'),
        );
      return stopping;
    },
  };
}

async function drainOnce(
  journal: Segments,
  options: {
    rejectedFile: string;
    middleware: StoreMiddleware;
    yieldNow: () => Promise<void>;
    journal: string | null;
  },
  warnings: WarningThrottle,
): Promise<void> {
  const segments = await journal.seal();
  if (segments.length === 0) return;
  const listeners = await listeningProjects();
  const listening = (projectId: string) => listeners.has(projectId);
  for (const segment of segments) {
    try {
      await moveSegment(journal, segment, {
        ...options,
        listening,
        yieldNow: foldingEveryFewSeconds(options.yieldNow),
      });
    } catch (error) {
      if (!(error instanceof UnreadableSegment)) throw error;
      // It may never become readable, and must not hold up later segments.
      warnings.warn(segment, `${error.message}: ${(error.cause as Error).message}`);
    }
  }
  await foldLinkCounts();
}

/** During a flood, links show their clicks after at most this time. */
const FOLD_MS = 3000;

function foldingEveryFewSeconds(yieldNow: () => Promise<void>): () => Promise<void> {
  let foldedAt = performance.now();
  return async () => {
    await yieldNow();
    if (performance.now() - foldedAt < FOLD_MS) return;
    await foldLinkCounts();
    foldedAt = performance.now();
  };
}

/** Longest wait for clicks to reach the store; in a flood they arrive later. */
const PATIENCE_MS = 1000;

/**
 * Returns a function that moves the journal's clicks to the store. Calls during a move share the next one, which begins after
 * all of them.
 */
export function makeFlush(bytes: () => number, drainNow: () => Promise<void>): () => Promise<void> {
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
