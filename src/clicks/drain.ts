import path from 'node:path';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { startLoop } from '../kernel/loop.ts';
import { givingWay } from './givingWay.ts';
import { foldLinkCounts } from './linkCounts.ts';
import { listeningProjects } from './listeningProjects.ts';
import { moveSegment, type Segments, UnreadableSegment } from './moveSegment.ts';
import { OccasionalWarnings } from './occasionalWarnings.ts';
import { forgetDrain, noteDrain, noteDrained } from './storedUntil.ts';
import type { Storing } from './storeOrReject.ts';

export interface Drain {
  /** Moves whatever was appended before; resolves also when the store is down and the clicks stay in the journal. */
  drainNow(): Promise<void>;
  /** Drains a last time. Can be called twice. */
  stop(): Promise<void>;
}

export interface DrainOptions {
  journal: Segments;
  everyMs: number;
  /** Gets rejected.log, the clicks that the store refuses; the journal's own folder if nothing is said. */
  folder?: string;
  /** Whether so much waits in the journal that the drain no longer gives way to redirects; unset: it never does. */
  isPressing?: () => boolean;
  /** Around each step to the store; unset: nothing. */
  storing?: Storing;
}

/** Longest pause between attempts while the store is down. */
const LONGEST_PAUSE_MS = 5000;

/** Moves clicks from the journal to the store again and again, segment by segment, never twice at the same time. */
export function startDrain({
  journal,
  everyMs,
  folder = path.join(config.dataDir, 'clicks'),
  isPressing = () => true,
  storing = (clicks, store) => store(clicks),
}: DrainOptions): Drain {
  const warnings = new OccasionalWarnings((message) => log.warn(message));
  const rejectedFile = path.join(folder, 'rejected.log');
  let pauseMs = everyMs;
  let latest = Promise.resolve();
  let stopping: Promise<void> | undefined;
  let isDrained = false;

  const run = async () => {
    const begunMs = clock.now();
    try {
      isDrained = false;
      await drainOnce(journal, { rejectedFile, storing, giveWay: givingWay(isPressing) }, warnings);
      await noteDrained(folder, begunMs);
      isDrained = true;
      pauseMs = everyMs;
    } catch (error) {
      pauseMs = Math.max(everyMs, Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
      warnings.warn('store', `Clicks wait in the journal, the store does not take them: ${(error as Error).message}`);
    }
  };
  const drainNow = () => {
    latest = latest.then(run);
    return latest;
  };
  noteDrain(folder, drainNow);
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
        .then(() => forgetDrain(folder, isDrained))
        .catch((error) => log.debug({ err: error }, 'the store does not hear that clicks are no longer counted here'));
      return stopping;
    },
  };
}

async function drainOnce(
  journal: Segments,
  options: { rejectedFile: string; storing: Storing; giveWay: () => Promise<void> },
  warnings: OccasionalWarnings,
): Promise<void> {
  const segments = await journal.seal();
  // Also what a process left that was killed in a flood.
  if (segments.length === 0) return foldLinkCounts();
  const listeners = await listeningProjects();
  const listening = (projectId: string) => listeners.has(projectId);
  for (const segment of segments) {
    try {
      await moveSegment(journal, segment, { ...options, listening, giveWay: foldingNowAndThen(options.giveWay) });
    } catch (error) {
      if (!(error instanceof UnreadableSegment)) throw error;
      // It may never be read: what came later is not held up by it.
      warnings.warn(segment, `${error.message}: ${(error.cause as Error).message}`);
    }
  }
  await foldLinkCounts();
}

/** Links show clicks of a flood no later than this. */
const FOLD_MS = 3000;

function foldingNowAndThen(giveWay: () => Promise<void>): () => Promise<void> {
  let foldedAt = performance.now();
  return async () => {
    await giveWay();
    if (performance.now() - foldedAt < FOLD_MS) return;
    await foldLinkCounts();
    foldedAt = performance.now();
  };
}
