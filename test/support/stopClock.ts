import { clock } from '../../src/kernel/clock.ts';

/** Product time that goes on only when a test says so. */
export interface StoppedClock {
  readonly nowMs: number;
  move(seconds: number): void;
}

/** Stops the product's time at a whole second, so that what follows from it can be compared exactly; `clock.reset` ends that. */
export function stopClock(atMs = Math.floor(Date.now() / 1000) * 1000): StoppedClock {
  let nowMs = atMs;
  clock.use({ now: () => nowMs });
  return {
    get nowMs() {
      return nowMs;
    },
    move(seconds) {
      nowMs += seconds * 1000;
    },
  };
}
