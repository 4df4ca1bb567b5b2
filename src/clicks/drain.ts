import { setImmediate as breathe } from 'node:timers/promises';
import { isStoreDown } from '../db/isStoreDown.ts';
import { log } from '../kernel/log.ts';
import { startLoop } from '../kernel/loop.ts';
import { type Click, decodeClick, encodeClick } from './click.ts';
import type { Journal } from './journal.ts';
import { clickListeners } from './listeners.ts';
import { OccasionalWarnings } from './occasionalWarnings.ts';
import { storeClicks } from './store.ts';

interface DrainOptions {
  journal: Journal;
  everyMs: number;
  /** Keeps a line that the store will never take, for whoever looks into it. */
  reject: (line: string) => Promise<void>;
}

export interface Drain {
  /** Moves what is left, if the store can be reached, and ends. Can be called twice. */
  stop(): Promise<void>;
}

/** Clicks in one transaction: 5,000 cost redirects 10 ms of their p99, 500 cost 1. */
const CHUNK = 500;
/** Pause after a failure: the store needs time more than it needs questions. */
const BACK_OFF_MS = 5000;

/**
 * Moves clicks from the journal to the store, again and again. A segment is removed when all of it is stored; after a
 * crash in between it is read again, and what is stored already counts nothing.
 */
export function startDrain({ journal, everyMs, reject }: DrainOptions): Drain {
  const warnings = new OccasionalWarnings((message) => log.warn(message));
  let pauseMs = everyMs;
  const run = async () => {
    await drainOnce(journal, reject);
    pauseMs = everyMs;
  };
  const complain = (error: unknown) => {
    pauseMs = Math.max(everyMs, BACK_OFF_MS);
    log.debug({ err: error }, 'clicks could not be moved to the store');
    warnings.warn('store', `Clicks stay in the journal, the store does not take them: ${(error as Error).message}`);
  };
  const loop = startLoop(run, () => pauseMs, complain);
  return {
    async stop() {
      await loop.stop();
      await run().catch(complain);
    },
  };
}

/** Moves everything that is in the journal now. Throws when the store is down. */
export async function drainOnce(journal: Journal, reject: (line: string) => Promise<void>): Promise<void> {
  const segments = await journal.seal();
  if (segments.length === 0) return;
  const listening = await clickListeners();
  for (const segment of segments) {
    for await (const lines of journal.read(segment, CHUNK)) {
      await storeLines(lines, listening, reject);
      await breathe();
    }
    await journal.remove(segment);
  }
}

async function storeLines(
  lines: string[],
  listening: (projectId: string) => boolean,
  reject: (line: string) => Promise<void>,
): Promise<void> {
  const clicks: Click[] = [];
  for (const line of lines) {
    const click = decodeClick(line);
    if (click) clicks.push(click);
    else await setAside(line, 'damaged', reject);
  }
  if (clicks.length === 0) return;
  try {
    await storeClicks(clicks, { listening });
  } catch (error) {
    if (isStoreDown(error)) throw error;
    // One click among them is what the store cannot take: alone it harms no other.
    for (const click of clicks) await storeAlone(click, listening, reject);
  }
}

async function storeAlone(
  click: Click,
  listening: (projectId: string) => boolean,
  reject: (line: string) => Promise<void>,
): Promise<void> {
  try {
    await storeClicks([click], { listening });
  } catch (error) {
    if (isStoreDown(error)) throw error;
    log.error({ err: error }, 'the store refuses a click');
    await setAside(encodeClick(click), 'refused', reject);
  }
}

async function setAside(line: string, why: string, reject: (line: string) => Promise<void>): Promise<void> {
  log.error({ why }, 'a click is set aside uncounted; see rejected.log in the folder of the journal');
  await reject(line);
}
