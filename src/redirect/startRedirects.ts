import path from 'node:path';
import { watchBursts } from '../clicks/bursts/watchBursts.ts';
import { makeFlush, startDrain } from '../clicks/drain.ts';
import { type Journal, openJournal } from '../clicks/journal.ts';
import { clicksOf } from '../clicks/linkCountStore.ts';
import { nameOfJournal, ownerOf, showJournalAge } from '../clicks/lost/journalFolder.ts';
import { startReports } from '../clicks/lost/reportJournal.ts';
import type { VisitorKeys } from '../clicks/visitorKeys.ts';
import { isStoreShared } from '../db/connection/database.ts';
import { expectHeartbeat, hearsAnnouncements } from '../db/connection/listen.ts';
import type { PlaceOf } from '../geo/geoip.ts';
import type { Config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { showCounter, showGauge } from '../kernel/metrics.ts';
import { rememberApps } from './association.ts';
import { ClickLimits, readLeftoverClicks } from './ClickLimits.ts';
import { ClickShares } from './ClickShares.ts';
import { type RedirectHandler, redirectHandler } from './handler.ts';
import { LinkCache } from './LinkCache.ts';
import { openLinkDomains } from './linkDomains.ts';
import { loadLink } from './loadLink.ts';
import { startOrphans } from './orphans.ts';
import { clickRecorder } from './recordClick.ts';
import type { Snapshot } from './SnapshotState.ts';
import { keepSnapshots } from './snapshot.ts';

/** Beyond this share of its bound, emptying the journal is as urgent as redirects. */
const PRESSING_SHARE = 0.25;

interface Parts {
  placeOf: PlaceOf;
  keys: Pick<VisitorKeys, 'hashes' | 'renewal'>;
  /** What an earlier process has left, if the store is away; null: the store is asked. */
  snapshot: Snapshot | null;
}

/** Opens what redirects need: the link cache, the journal and its drain. */
export async function startRedirects(config: Config, { placeOf, keys, snapshot }: Parts) {
  const journal = await openClickJournal(config);
  const folder = clickFolder(config);
  const holder = nameOfJournal(folder);
  const limits = isStoreShared()
    ? new ClickShares({ holder, former: await ownerOf(folder) })
    : new ClickLimits(clicksOf);
  void limits.countLeftovers(readLeftoverClicks(journal, await journal.seal()));
  const bursts = watchBursts();
  const drain = startDrain({
    journal,
    name: holder,
    middleware: (clicks, store) => limits.whileStoring(clicks, () => bursts.storing(clicks, store)),
    everyMs: config.clickDrainMilliseconds,
    isUrgent: () => journal.bytes() > config.clickJournalMaxBytes * PRESSING_SHARE,
  });
  const reports = startReports(folder);
  const cache = new LinkCache(
    async (domain, slug) => {
      const link = await loadLink(domain, slug);
      return link && limits.track(link);
    },
    hearsAnnouncements,
    { maxEntries: config.linkCacheEntries, hasShares: isStoreShared() },
  );
  showGauge('svc_links_cached', 'Links in memory.', () => cache.size);
  showCounter('svc_link_cache_hits_total', 'Lookups of a link that memory answered.', () => cache.hits);
  showCounter('svc_link_cache_misses_total', 'Lookups of a link that asked the store.', () => cache.misses);
  const domains = openLinkDomains();
  // The last one that memory takes over is the last one that it forgets.
  for (const link of snapshot?.links.reverse() ?? []) cache.remember(limits.trackRemembered(link));
  for (const domain of snapshot?.domains ?? []) domains.remember(domain);
  for (const apps of snapshot?.apps ?? []) rememberApps(apps);
  const snapshots = await keepSnapshots(config, { holder, inMemory: () => cache.ids() });
  const orphans = startOrphans();
  const handle = redirectHandler({
    cache,
    domains,
    placeOf,
    hashes: keys.hashes,
    renewal: keys.renewal,
    record: clickRecorder(journal, limits, snapshots.countFollow),
    admit: (link, isPerson, sinceMs) => limits.admit(link, isPerson, sinceMs),
    recordOrphan: orphans.record,
  });
  const answer: RedirectHandler = (request, response, host) => {
    // Links in memory are as good as the connection that hears of their changes.
    expectHeartbeat();
    handle(request, response, host);
  };
  return {
    handle: answer,
    /** Whether there are links that can be followed while the store is down. */
    knowsLinks: () => cache.size > 0,
    /** Moves journaled clicks to the store, as far as that is possible in a moment. */
    flush: makeFlush(() => journal.bytes(), drain.drainNow),
    /** Moves the last clicks to the store if it is up; otherwise they wait in the journal. */
    async stop() {
      await snapshots.stop();
      cache.close();
      domains.close();
      await orphans.stop();
      await drain.stop();
      await bursts.stop();
      await limits.stop();
      await journal.close();
      await reports.stop(journal.bytes() === 0);
    },
  };
}

/** As the drain names it too. */
function clickFolder(config: Config): string {
  return path.join(config.dataDir, 'clicks');
}

/** Opens the journal of clicks and shows its size and losses in metrics. */
async function openClickJournal(config: Config): Promise<Journal> {
  const journal = await openJournal({
    folder: clickFolder(config),
    maxBytes: config.clickJournalMaxBytes,
    sync: config.clickJournalSync,
    onWarning: (message) => log.warn(message),
  });
  showGauge('svc_click_journal_bytes', 'Bytes of clicks that are not in the store yet.', () => journal.bytes());
  showCounter('svc_clicks_dropped_total', 'Clicks since the start that were answered but not counted.', () =>
    journal.dropped(),
  );
  showJournalAge(clickFolder(config));
  return journal;
}
