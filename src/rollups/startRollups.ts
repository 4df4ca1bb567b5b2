import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { type Loop, startLoop } from '../kernel/loop.ts';
import { buildBlocks } from './buildBlocks.ts';

/** Puts clicks into blocks again and again. What fails is tried again at the next turn; questions read the clicks until then. */
export function startRollups(): Loop {
  return startLoop(
    buildBlocks,
    () => config.rollupSeconds * 1000,
    (error) => log.warn({ err: error }, 'clicks could not be put into blocks; it is tried again'),
  );
}
