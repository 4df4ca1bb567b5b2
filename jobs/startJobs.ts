import { watchTraffic } from '../src/anomalies/watchTraffic.ts';
import { collectAppActivity } from '../src/apps/collectAppActivity.ts';
import { collectTraffic } from '../src/clicks/collectTraffic.ts';
import { checkDueDomains } from '../src/domains/checkDueDomains.ts';
import { checkDueProjects } from '../src/health/checkDueProjects.ts';
import { type Config, config } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { signals, type Topic } from '../src/kernel/signals.ts';
import { sendMails } from '../src/mail/sendMails.ts';
import { warnOfPlainMail } from '../src/mail/smtpPool.ts';
import { freeImports } from '../src/services/imports/claimImport.ts';
import { startBoss } from './boss.ts';
import { purgeOld } from './purgeOld.ts';
import { rescanLinks } from './rescanLinks.ts';
import { runImports } from './runImports.ts';
import { runReplays } from './runReplays.ts';
import { startDeliveries } from './startDeliveries.ts';
import { walkBlocklists } from './walkBlocklists.ts';

/** Work that is looked for again and again; who may do it, the store says. */
interface Work {
  /** As it ends "… failed; it is tried again". */
  about: string;
  run(signal: AbortSignal): Promise<unknown>;
  everyMs(): number;
  /** Looked for at once when this is announced. */
  wokenBy?: Topic;
}

const WORK: Work[] = [
  { about: 'collecting clicks', run: collectTraffic, everyMs: () => config.trafficCollectSeconds * 1000 },
  {
    about: 'collecting what apps did',
    run: collectAppActivity,
    everyMs: () => config.trafficCollectSeconds * 1000,
  },
  { about: 'scanning links again', run: rescanLinks, everyMs: () => config.rescanPauseSeconds * 1000 },
  {
    about: 'holding links against blocklists',
    run: walkBlocklists,
    everyMs: () => config.blocklistReloadSeconds * 1000,
  },
  { about: 'deleting what is old', run: purgeOld, everyMs: () => 60_000 },
  { about: 'replaying events', run: runReplays, everyMs: () => 5000, wokenBy: 'replays' },
  { about: 'looking for imports', run: runImports, everyMs: () => config.importPollMilliseconds },
  { about: 'looking at domains', run: checkDueDomains, everyMs: () => 5000, wokenBy: 'domain' },
  { about: 'checking the health of projects', run: checkDueProjects, everyMs: () => 5000 },
  { about: 'watching traffic', run: watchTraffic, everyMs: () => 60_000 },
  { about: 'sending mails', run: sendMails, everyMs: () => 5000, wokenBy: 'mail' },
];

/** Starts everything that works in the background. `stop` finishes what is in hand. */
export async function startJobs(config: Config): Promise<{ stop(): Promise<void> }> {
  const { boss, stop } = await startBoss(config);
  const deliveries = await startDeliveries(boss, config);
  if (!config.databaseUrl) await freeImports();
  warnOfPlainMail();
  const stopping = new AbortController();
  const loops = WORK.map((work) => start(work, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops.map((end) => end()));
      await deliveries.stop();
      await stop();
    },
  };
}

function start({ about, run, everyMs, wokenBy }: Work, signal: AbortSignal): () => Promise<void> {
  const loop = startLoop(
    () => run(signal),
    everyMs,
    (error) => log.warn({ err: error }, `${about} failed; it is tried again`),
  );
  const unsubscribe = wokenBy ? signals.on(wokenBy, () => loop.wake()) : () => {};
  return async () => {
    unsubscribe();
    await loop.stop();
  };
}
