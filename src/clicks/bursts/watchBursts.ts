import { isStoreShared } from '../../db/connection/database.ts';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { log, WarningThrottle } from '../../kernel/log.ts';
import { startLoop } from '../../kernel/loop.ts';
import { type TrafficReason, trafficClass } from '../../routing/trafficReason.ts';
import type { Click } from '../click.ts';
import { BurstDetector, type ObservedClick } from './BurstDetector.ts';
import { PendingChecks } from './PendingChecks.ts';
import { ReclassQueue } from './ReclassQueue.ts';
import { readLatestClicks, readObservedClicks } from './readObservedClicks.ts';
import { KEPT_WINDOWS } from './Trail.ts';

export interface Bursts {
  /** Runs `store` with the clicks, those of a known burst already as a scanner's, and then observes them. */
  storing<Result>(clicks: readonly Click[], store: (clicks: readonly Click[]) => Promise<Result>): Promise<Result>;
  /** Observes stored clicks. Those that turn out to belong to a burst are re-classed later. */
  observe(clicks: readonly Click[]): void;
  /** Resolves when all bursts seen so far are re-classed, or when the store is down and they will be re-classed later. */
  settled(): Promise<void>;
  /** Re-classes a last time. May be called twice. */
  stop(): Promise<void>;
}

const REASON: TrafficReason = 'burst';
const AS_SCANNER = { trafficClass: trafficClass(REASON), trafficReason: REASON };
const EVERY_MS = 1000;

const OFF: Bursts = {
  storing: (clicks, store) => store(clicks),
  observe() {},
  settled: async () => {},
  stop: async () => {},
};

/** Watches stored clicks for addresses that follow too many links of a team at once, and re-classes their clicks. */
export function watchBursts(): Bursts {
  const { scannerBurstLinks: links, scannerBurstSeconds: seconds } = config;
  if (links === 0 || seconds === 0) return OFF;
  const windowMs = seconds * 1000;
  const detector = new BurstDetector({ links, windowMs });
  const queue = new ReclassQueue();
  const pending = new PendingChecks(links, windowMs);
  const warnings = new WarningThrottle((message) => log.warn(message));
  const hasOthers = isStoreShared();
  let hasLookedBack = false;
  let latest: Promise<void> = Promise.resolve();

  const detect = (click: ObservedClick) => {
    for (const span of detector.observe(click)) queue.add(click, span);
  };
  const runOnce = async (isHurried: boolean) => {
    try {
      // Bursts that an earlier process stored but did not re-class before it ended.
      if (!hasLookedBack) for (const click of await readLatestClicks(KEPT_WINDOWS * windowMs)) detect(click);
      hasLookedBack = true;
      await pending.runDue(isHurried ? Number.POSITIVE_INFINITY : clock.now(), async (check) => {
        for (const click of await readObservedClicks(check)) detect(click);
      });
      await queue.run();
    } catch (error) {
      warnings.warn(
        'store',
        `Clicks of bursts wait to be re-classed because of the store: ${(error as Error).message}`,
      );
    }
  };
  const run = (isHurried: boolean) => {
    latest = latest.then(() => runOnce(isHurried));
    return latest;
  };
  const loop = startLoop(
    () => run(false),
    () => EVERY_MS,
    () => {},
  );
  const observe = (clicks: readonly Click[]) => {
    for (const click of clicks) {
      if (!isObserved(click)) continue;
      const { teamId, addressHash, linkId, occurredAt } = click;
      detect({ teamId, addressHash, linkId, occurredAt, isHuman: click.trafficClass === 'human' });
      if (hasOthers) pending.observe(click, detector);
    }
    if (!queue.isEmpty) loop.wake();
  };
  let stopping: Promise<void> | undefined;
  return {
    observe,
    async storing(clicks, store) {
      const marked = marking(clicks, detector);
      const result = await store(marked);
      observe(marked);
      return result;
    },
    settled: () => run(true),
    stop() {
      stopping ??= loop.stop().then(() => run(true));
      return stopping;
    },
  };
}

/** A person's click, or one that was taken for one. Clicks of early versions have no team and are skipped. */
function isObserved({ teamId, trafficClass, trafficReason }: Click): boolean {
  return teamId !== '' && (trafficClass === 'human' || trafficReason === REASON);
}

/** The clicks, those of known bursts as a scanner's. */
function marking(clicks: readonly Click[], detector: BurstDetector): readonly Click[] {
  const isOfBurst = (click: Click) => click.trafficClass === 'human' && detector.burstOf(click) !== undefined;
  return clicks.some(isOfBurst)
    ? clicks.map((click) => (isOfBurst(click) ? { ...click, ...AS_SCANNER } : click))
    : clicks;
}
