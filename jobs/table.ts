import { buildBlocks } from '../src/analytics/columns/buildBlocks.ts';
import { watchTraffic } from '../src/anomalies/watchTraffic.ts';
import { collectAppActivity } from '../src/attribution/collectAppActivity.ts';
import { collectTraffic } from '../src/clicks/collectTraffic.ts';
import { foldLinkCounts, hasWaitingCounts } from '../src/clicks/linkCountStore.ts';
import { checkDueDomains, hasDueDomains } from '../src/domains/checkDueDomains.ts';
import { checkDueProjects, hasDueProjects } from '../src/health/checkDueProjects.ts';
import { hasWaitingImports } from '../src/imports/importClaims.ts';
import { config } from '../src/kernel/config.ts';
import { hasDueLinks } from '../src/links/scanDue.ts';
import { isMailDue, sendMails } from '../src/mail/sendMails.ts';
import { hasReplays } from '../src/webhooks/runReplay.ts';
import type { Job } from './Job.ts';
import { purgeOld } from './purgeOld.ts';
import { SWEEP } from './queues.ts';
import { replayEvents } from './replayEvents.ts';
import { rescanLinks } from './rescanLinks.ts';
import { runImports } from './runImports.ts';
import { makeWebhookJobs, sendWebhooks, type WebhookJob } from './sendWebhooks.ts';
import { sweepStore } from './sweepStore.ts';
import { isWalkDue, walkBlocklists } from './walkBlocklists.ts';

const HOUR = 3600;

/** Attempts go on for about a minute. */
const RETRIED = { retryLimit: 5, retryDelay: 2 };

/** One at a time in a process, and as many processes as there are until four are at it. */
const SHARED = { perProcess: 1, inAll: 4, ...RETRIED };
/** One at a time, whatever the number of processes. */
const ALONE = { perProcess: 1, inAll: 1, ...RETRIED };

/** Every kind of job. Queues, schedules, metrics and `npm run admin -- jobs` are computed from it. */
export const JOBS: readonly Job[] = [
  {
    queue: SWEEP,
    about: 'asks the store what is due, and makes the jobs below; one process does so for all',
    run: sweepStore,
    ...ALONE,
    expireIn: HOUR,
  },
  {
    queue: 'sendWebhooks',
    about: 'sends what is due to one webhook, until nothing is',
    run: (context, data) => sendWebhooks(context, data as WebhookJob),
    sweep: { everyMs: () => config.webhookSweepSeconds * 1000, by: 'one', makeJobs: makeWebhookJobs },
    // A webhook that waits for a slow receiver costs little.
    perProcess: 1000,
    inAll: 0,
    ...RETRIED,
    expireIn: HOUR,
  },
  {
    queue: 'collectTraffic',
    about: 'makes link.clicked events of clicks',
    run: collectTraffic,
    sweep: { everyMs: () => config.trafficCollectSeconds * 1000, by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'collectAppActivity',
    about: 'makes events of what apps report',
    run: collectAppActivity,
    sweep: { everyMs: () => config.trafficCollectSeconds * 1000, by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'buildBlocks',
    about: 'puts clicks into blocks by column, from which analytics answers',
    run: () => buildBlocks(),
    sweep: { everyMs: () => config.blockBuildSeconds * 1000, by: 'one' },
    ...SHARED,
    expireIn: 6 * HOUR,
  },
  {
    queue: 'foldLinkCounts',
    about: 'adds the clicks of a flood to their links, when the process that counted them was killed',
    run: () => foldLinkCounts(),
    sweep: { everyMs: () => 10_000, isDue: hasWaitingCounts, by: 'one' },
    ...ALONE,
    expireIn: HOUR,
  },
  {
    queue: 'sendMails',
    about: 'hands mails to the mail server',
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
    about: 'looks for anomalies in the hours of traffic that are over',
    run: (_context, _data, signal) => watchTraffic(signal),
    sweep: { everyMs: () => 60_000, by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'rescanLinks',
    about: 'scans links again, and reviews flags on request',
    run: rescanLinks,
    sweep: { everyMs: () => config.rescanPauseSeconds * 1000, isDue: hasDueLinks, by: 'one' },
    ...SHARED,
    expireIn: HOUR,
  },
  {
    queue: 'walkBlocklists',
    about: 'checks all links against blocklists that have changed',
    run: (_context, _data, signal) => walkBlocklists(signal),
    // Each process has files of its own.
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
    // A dry run begins anew in another process.
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
    queue: 'purgeOld',
    about: 'deletes what is past its retention',
    run: (_context, _data, signal) => purgeOld(signal),
    sweep: { everyMs: () => 60_000, by: 'one' },
    ...ALONE,
    expireIn: HOUR,
  },
];
