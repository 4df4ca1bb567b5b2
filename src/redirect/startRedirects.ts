import path from 'node:path';
import { watchBursts } from '../clicks/bursts/watchBursts.ts';
import { startDrain } from '../clicks/drain.ts';
import { flushing } from '../clicks/flushing.ts';
import { openJournal } from '../clicks/journal.ts';
import { clicksOf } from '../clicks/linkCounts.ts';
import type { VisitorKeys } from '../clicks/visitorKeys.ts';
import { hearsAnnouncements } from '../db/listen.ts';
import type { Config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { showGauge } from '../kernel/metrics.ts';
import { ClickLimits } from './ClickLimits.ts';
import { openLinkDomains } from './domains.ts';
import { redirectHandler } from './handler.ts';
import { LinkCache } from './LinkCache.ts';
import { loadLink } from './loadLink.ts';
import { startOrphans } from './orphans.ts';
import type { PlaceOf } from './places.ts';
import { readLeftClicks } from './readLeftClicks.ts';
import { clickRecorder } from './recordClick.ts';

/** From this share of its bound on, emptying the journal is as urgent as redirects. */
const PRESSING_SHARE = 0.25;

interface Parts {
  placeOf: PlaceOf;
  keys: Pick<VisitorKeys, 'hashes' | 'renewal'>;
}

/** Opens what redirects need: link cache, journal with its drain. */
export async function startRedirects(config: Config, { placeOf, keys }: Parts) {
  const journal = await openJournal({
    folder: path.join(config.dataDir, 'clicks'),
    maxBytes: config.clickJournalMaxBytes,
    sync: config.clickJournalSync,
    onWarning: (message) => log.warn(message),
  });
  showGauge('svc_click_journal_bytes', 'Bytes of clicks that are not in the store yet.', () => journal.bytes());
  showGauge('svc_clicks_dropped', 'Clicks since the start that were answered and not counted.', () =>
    journal.dropped(),
  );
  const limits = new ClickLimits(clicksOf);
  void limits.countLeft(readLeftClicks(journal, await journal.seal()));
  const bursts = watchBursts();
  const drain = startDrain({
    journal,
    storing: (clicks, store) => limits.storing(clicks, () => bursts.storing(clicks, store)),
    everyMs: config.clickDrainMilliseconds,
    isPressing: () => journal.bytes() > config.clickJournalMaxBytes * PRESSING_SHARE,
  });
  const cache = new LinkCache(
    async (domain, slug) => {
      const link = await loadLink(domain, slug);
      return link && limits.follow(link);
    },
    hearsAnnouncements,
    config.linkCacheEntries,
  );
  const domains = openLinkDomains();
  const orphans = startOrphans();
  const handle = redirectHandler({
    cache,
    domains,
    placeOf,
    hashes: keys.hashes,
    renewal: keys.renewal,
    record: clickRecorder(journal, limits),
    noteOrphan: orphans.note,
  });
  return {
    handle,
    /** Whether there are links that can be answered while the store is away. */
    knowsLinks: () => cache.size > 0,
    /** Moves what has been written down to the store, as far as that takes no longer than a moment. */
    flush: flushing(() => journal.bytes(), drain.drainNow),
    /** Moves the last clicks to the store, if it can be reached; otherwise they wait in the journal. */
    async stop() {
      cache.close();
      domains.close();
      await orphans.stop();
      await drain.stop();
      await bursts.stop();
      await journal.close();
    },
  };
}
