import { dialect } from '../../db/database.ts';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { log } from '../../kernel/log.ts';
import { startLoop } from '../../kernel/loop.ts';
import { type TrafficReason, trafficClass } from '../../routing/trafficReason.ts';
import type { Click } from '../click.ts';
import { OccasionalWarnings } from '../occasionalWarnings.ts';
import { BurstDetector, type Followed } from './BurstDetector.ts';
import { Questions } from './Questions.ts';
import { Reclassing } from './Reclassing.ts';
import { readFollowed, readLatest } from './readFollowed.ts';
import { KEPT_WINDOWS } from './Trail.ts';

export interface Bursts {
  /** Runs `store` with the clicks, of which those in a burst that is known are a scanner's already, and sees them then. */
  storing<Result>(clicks: readonly Click[], store: (clicks: readonly Click[]) => Promise<Result>): Promise<Result>;
  /** Takes note of clicks that are stored. Those that turn out to be of a burst are re-classed later. */
  see(clicks: readonly Click[]): void;
  /** Resolves when everything seen so far is re-classed; also when the store is down, and it is tried again later. */
  settled(): Promise<void>;
  /** Tries a last time. Can be called twice. */
  stop(): Promise<void>;
}

const REASON: TrafficReason = 'burst';
const AS_SCANNER = { trafficClass: trafficClass(REASON), trafficReason: REASON };
const EVERY_MS = 1000;

const OFF: Bursts = {
  storing: (clicks, store) => store(clicks),
  see() {},
  settled: async () => {},
  stop: async () => {},
};

/** Watches stored clicks for addresses that follow too many links of a team at once, and re-classes theirs. */
export function watchBursts(): Bursts {
  const { scannerBurstLinks: links, scannerBurstSeconds: seconds } = config;
  if (links === 0 || seconds === 0) return OFF;
  const windowMs = seconds * 1000;
  const detector = new BurstDetector({ links, windowMs });
  const reclassing = new Reclassing();
  const questions = new Questions(links, windowMs);
  const warnings = new OccasionalWarnings((message) => log.warn(message));
  const hasOthers = dialect() === 'postgres';
  let hasLookedBack = false;
  let latest: Promise<void> = Promise.resolve();

  const note = (followed: Followed) => {
    for (const span of detector.see(followed)) reclassing.add(followed, span);
  };
  const work = async (isHurried: boolean) => {
    try {
      // What an earlier process stored and did not live to re-class.
      if (!hasLookedBack) for (const followed of await readLatest(KEPT_WINDOWS * windowMs)) note(followed);
      hasLookedBack = true;
      await questions.askDue(isHurried ? Number.POSITIVE_INFINITY : clock.now(), async (question) => {
        for (const followed of await readFollowed(question)) note(followed);
      });
      await reclassing.run();
    } catch (error) {
      warnings.warn('store', `Clicks of bursts wait to be re-classed, the store does not: ${(error as Error).message}`);
    }
  };
  const run = (isHurried: boolean) => {
    latest = latest.then(() => work(isHurried));
    return latest;
  };
  const loop = startLoop(
    () => run(false),
    () => EVERY_MS,
    () => {},
  );
  const isOfBurst = (click: Click) => click.trafficClass === 'human' && detector.burstOf(click) !== undefined;
  const see = (clicks: readonly Click[]) => {
    for (const click of clicks) {
      const { teamId, addressHash, linkId, occurredAt } = click;
      const isHuman = click.trafficClass === 'human';
      // Clicks of the time before the team was noted are not looked at.
      if (teamId === '' || !(isHuman || click.trafficReason === REASON)) continue;
      note({ teamId, addressHash, linkId, occurredAt, isHuman });
      if (hasOthers) questions.see(click, detector);
    }
    if (!reclassing.isEmpty) loop.wake();
  };
  let stopping: Promise<void> | undefined;
  return {
    see,
    async storing(clicks, store) {
      const marked = clicks.some(isOfBurst)
        ? clicks.map((click) => (isOfBurst(click) ? { ...click, ...AS_SCANNER } : click))
        : clicks;
      const result = await store(marked);
      see(marked);
      return result;
    },
    settled: () => run(true),
    stop() {
      stopping ??= loop.stop().then(() => run(true));
      return stopping;
    },
  };
}
