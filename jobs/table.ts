import { buildBlocks } from '../src/analytics/columns/buildBlocks.ts';
import { watchTraffic } from '../src/anomalies/watchTraffic.ts';
import { collectAppActivity } from '../src/attribution/collectAppActivity.ts';
import { foldBacklog, hasManyArrivals } from '../src/clicks/backlogStore.ts';
import { hasClickHouse } from '../src/clicks/clickhouse/connection.ts';
import { hasQueued, moveQueued } from '../src/clicks/clickhouse/queueStore.ts';
import { collectTraffic } from '../src/clicks/collectTraffic.ts';
import { foldLinkCounts, hasWaitingCounts } from '../src/clicks/linkCountStore.ts';
import { isJournalWatchDue, watchJournals } from '../src/clicks/lost/watchJournals.ts';
import { extendPartitions, isPartitionMissing } from '../src/db/partitions/extendPartitions.ts';
import { hasDeletionsToPurge } from '../src/deletion/purgeDeleted.ts';
import { checkDueDomains, hasDueDomains } from '../src/domains/checkDueDomains.ts';
import { checkDueProjects, hasDueProjects } from '../src/health/checkDueProjects.ts';
import { hasWaitingImports } from '../src/imports/importClaims.ts';
import { config } from '../src/kernel/config.ts';
import { hasDueLinks } from '../src/links/scanDue.ts';
import { isMailDue, sendMails } from '../src/mail/sendMails.ts';
import { hasReplays } from '../src/webhooks/runReplay.ts';
import type { Job } from './Job.ts';
import { purgeDeleted } from './purgeDeleted.ts';
import { purgeOld } from './purgeOld.ts';
import { SWEEP } from './queues.ts';
import { replayEvents } from './replayEvents.ts';
import { rescanLinks } from './rescanLinks.ts';
import { runImports } from './runImports.ts';
import { createWebhookJobs, sendWebhooks, type WebhookJob } from './sendWebhooks.ts';
import { sweepStore } from './sweepStore.ts';
import { isWalkDue, walkBlocklists } from './walkBlocklists.ts';

const HOUR = 3600;

/** Retries continue for about a minute. */
const RETRIED = { retryLimit: 5, retryDelay: 2 };

/** One at a time in a process, in up to four processes. */
const SHARED = { perProcess: 1, inAll: 4, ...RETRIED };
/** One at a time in all processes. */
const ALONE = { perProcess: 1, inAll: 1, ...RETRIED };

/** Every kind of job. Queues, schedules, metrics and `npm run admin -- jobs` are computed from it. */
export const JOBS: readonly Job[] = [
  {
    queue: SWEEP,
    about: 'polls the store for due work and creates the jobs below; one process does this for all',
    run: sweepStore,
    ...ALONE,
    expireIn: HOUR,
  },
  {
    queue: 'sendWebhooks',
    about: 'sends the due deliveries of one webhook',
    run: (context, data) => sendWebhooks(context, data as WebhookJob),
    sweep: { everyMs: () => config.webhookSweepSeconds * 1000, by: 'one', createJobs: createWebhookJobs },
    // A webhook that waits for a slow receiver costs little.
    perProcess: 1000,
    inAll: 0,
    ...RETRIED,
    expireIn: HOUR,
  },
  {
    queue: 'collectTraffic',
    about: 'turns clicks into link.clicked events',
    run: collectTraffic,
    sweep: { everyMs: () => config.trafficCollectSeconds * 1000, by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'collectAppActivity',
    about: 'turns reports of apps into events',
    run: collectAppActivity,
    sweep: { everyMs: () => config.trafficCollectSeconds * 1000, by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'buildBlocks',
    about: 'packs clicks into column blocks for analytics',
    run: () => buildBlocks(),
    sweep: { everyMs: () => config.blockBuildSeconds * 1000, by: 'one' },
    ...SHARED,
    expireIn: 6 * HOUR,
  },
  {
    queue: 'foldLinkCounts',
    about: 'adds collected click counts to links, and makes one row of many in the backlog of blocks',
    async run() {
      await foldLinkCounts();
      await foldBacklog();
    },
    sweep: {
      everyMs: () => 3000,
      isDue: async () => (await hasWaitingCounts()) || (await hasManyArrivals()),
      by: 'one',
    },
    ...ALONE,
    expireIn: HOUR,
  },
  {
    queue: 'storeClicks',
    about: 'moves clicks of openings, and clicks whose class has changed, to ClickHouse',
    run: () => moveQueued(),
    sweep: { everyMs: () => 2000, isDue: async () => hasClickHouse() && (await hasQueued()), by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'watchJournals',
    about: 'raises an alert when a process with clicks on its disk is not heard of any more',
    run: () => watchJournals(),
    sweep: { everyMs: () => 60_000, isDue: isJournalWatchDue, by: 'one' },
    ...ALONE,
    expireIn: HOUR,
  },
  {
    queue: 'sendMails',
    about: 'sends mails',
    run: (_context, _data, signal) => sendMails(signal),
    sweep: { everyMs: () => 5000, wokenBy: 'mail', isDue: isMailDue, by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'checkDomains',
    about: 'checks the DNS records and certificates of domains',
    run: (_context, _data, signal) => checkDueDomains(signal),
    sweep: { everyMs: () => 5000, wokenBy: 'domain', isDue: hasDueDomains, by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'checkHealth',
    about: 'checks the health of projects',
    run: (_context, _data, signal) => checkDueProjects(signal),
    sweep: { everyMs: () => 5000, isDue: hasDueProjects, by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'watchTraffic',
    about: 'checks completed hours of traffic for anomalies',
    run: (_context, _data, signal) => watchTraffic(signal),
    sweep: { everyMs: () => 60_000, by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'rescanLinks',
    about: 'rescans links, and reviews flags on request',
    run: rescanLinks,
    sweep: { everyMs: () => config.rescanPauseSeconds * 1000, isDue: hasDueLinks, by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'walkBlocklists',
    about: 'checks all links against blocklists that have changed',
    run: (_context, _data, signal) => walkBlocklists(signal),
    // Each process has its own blocklist files.
    sweep: { everyMs: () => config.blocklistReloadSeconds * 1000, isDue: isWalkDue, by: 'each' },
    ...SHARED,
    expireIn: 6 * HOUR,
  },
  {
    queue: 'runImports',
    about: 'imports links from uploaded files',
    run: (_context, _data, signal) => runImports(signal),
    sweep: { everyMs: () => config.importPollMilliseconds, wokenBy: 'imports', isDue: hasWaitingImports, by: 'one' },
    ...SHARED,
    // One of a team at a time: a large file must not keep the others waiting.
    perProcess: 3,
    // A dry run starts over in another process.
    expireIn: 24 * HOUR,
  },
  {
    queue: 'replayEvents',
    about: 'sends past events again to webhooks that asked for a replay',
    run: (_context, _data, signal) => replayEvents(signal),
    sweep: { everyMs: () => 5000, wokenBy: 'replays', isDue: hasReplays, by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'purgeDeleted',
    about: 'deletes projects and teams for good whose time to be restored is over',
    run: (_context, _data, signal) => purgeDeleted(signal),
    sweep: { everyMs: () => 60_000, isDue: hasDeletionsToPurge, by: 'one' },
    ...ALONE,
    expireIn: HOUR,
  },
  {
    queue: 'makePartitions',
    about: 'makes the partitions of large tables that are needed next, on PostgreSQL',
    run: () => extendPartitions(),
    sweep: { everyMs: () => 600_000, isDue: isPartitionMissing, by: 'one' },
    ...ALONE,
    expireIn: HOUR,
  },
  {
    queue: 'purgeOld',
    about: 'deletes everything past its retention',
    run: (_context, _data, signal) => purgeOld(signal),
    sweep: { everyMs: () => 60_000, by: 'one' },
    ...ALONE,
    expireIn: HOUR,
  },
];
