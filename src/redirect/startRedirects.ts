import path from 'node:path';
import { startDrain } from '../clicks/drain.ts';
import { openJournal } from '../clicks/journal.ts';
import { openVisitorKeys } from '../clicks/visitorKeys.ts';
import { hearsAnnouncements } from '../db/listen.ts';
import type { Config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { showGauge } from '../kernel/metrics.ts';
import { openCountries } from './country.ts';
import { redirectHandler } from './handler.ts';
import { LinkCache } from './LinkCache.ts';
import { loadLink } from './loadLink.ts';
import { clickRecorder } from './recordClick.ts';

/** From this share of its bound on, emptying the journal is as urgent as redirects. */
const PRESSING_SHARE = 0.25;

/** Opens what redirects need: link cache, journal with its drain, keys of visitors, countries. */
export async function startRedirects(config: Config) {
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
  const drain = startDrain({
    journal,
    everyMs: config.clickDrainMilliseconds,
    isPressing: () => journal.bytes() > config.clickJournalMaxBytes * PRESSING_SHARE,
  });
  const keys = await openVisitorKeys();
  const cache = new LinkCache(loadLink, hearsAnnouncements, config.linkCacheEntries);
  const handle = redirectHandler({
    cache,
    countryOf: await openCountries(),
    hashes: keys.hashes,
    record: clickRecorder(journal),
  });
  return {
    handle,
    /** Moves the last clicks to the store, if it can be reached; otherwise they wait in the journal. */
    async stop() {
      cache.close();
      await keys.close();
      await drain.stop();
      await journal.close();
    },
  };
}
