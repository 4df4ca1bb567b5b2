import { collectAppActivity } from '../src/apps/collectAppActivity.ts';
import { collectTraffic } from '../src/clicks/collectTraffic.ts';
import type { Config } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { signals } from '../src/kernel/signals.ts';
import { freeImports } from '../src/services/imports/claimImport.ts';
import { startBoss } from './boss.ts';
import { purgeOld } from './purgeOld.ts';
import { rescanLinks } from './rescanLinks.ts';
import { runImports } from './runImports.ts';
import { runReplays } from './runReplays.ts';
import { startDeliveries } from './startDeliveries.ts';

/** What is kept no longer is deleted this often. */
const PURGE_MS = 60_000;
/** Replays that nobody told of are looked for this often. */
const REPLAYS_MS = 5000;

/** Starts everything that works in the background. `stop` finishes what is in hand. */
export async function startJobs(config: Config): Promise<{ stop(): Promise<void> }> {
  const { boss, stop } = await startBoss(config);
  const deliveries = await startDeliveries(boss, config);
  const complain = (work: string) => (error: unknown) => log.warn({ err: error }, `${work} failed; it is tried again`);
  const collect = startLoop(collectTraffic, () => config.trafficCollectSeconds * 1000, complain('collecting clicks'));
  const collectApps = startLoop(
    collectAppActivity,
    () => config.trafficCollectSeconds * 1000,
    complain('collecting what apps did'),
  );
  const rescan = startLoop(rescanLinks, () => config.rescanPauseSeconds * 1000, complain('scanning links again'));
  const stopping = new AbortController();
  const purge = startLoop(
    () => purgeOld(stopping.signal),
    () => PURGE_MS,
    complain('deleting what is old'),
  );
  const replays = startLoop(
    () => runReplays(stopping.signal),
    () => REPLAYS_MS,
    complain('replaying events'),
  );
  const unsubscribe = signals.on('replays', () => replays.wake());
  if (!config.databaseUrl) await freeImports();
  const imports = startLoop(
    () => runImports(stopping.signal),
    () => config.importPollMilliseconds,
    complain('looking for imports'),
  );
  return {
    async stop() {
      stopping.abort();
      unsubscribe();
      await imports.stop();
      await Promise.all([rescan.stop(), purge.stop(), collect.stop(), collectApps.stop(), replays.stop()]);
      await deliveries.stop();
      await stop();
    },
  };
}
