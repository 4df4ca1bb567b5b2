import { setTimeout as delay } from 'node:timers/promises';
import { forgetUploads } from '../facade/readBody.ts';
import { buildGraphqlSchema } from '../schema/build.ts';
import { linkRules } from '../schema/links/linkRules.ts';
import { releaseOrphanedClaims } from '../src/access/idempotencyStore.ts';
import { type FirstAccount, firstStart, forgetFirstAccount } from '../src/accounts/firstStart.ts';
import { setAttributionContext } from '../src/attribution/context.ts';
import { closeClickHouse } from '../src/clicks/clickhouse/connection.ts';
import { startTakeovers } from '../src/clicks/lost/takeOver.ts';
import { showLostJournals } from '../src/clicks/lost/watchJournals.ts';
import { openVisitorKeys } from '../src/clicks/visitorKeys.ts';
import { closeDatabase } from '../src/db/connection/database.ts';
import { listenForAnnouncements } from '../src/db/connection/listen.ts';
import { guardDataDir, lockDataDir, refuseHalfRestored } from '../src/db/dataDir.ts';
import { failureOf } from '../src/db/storeFailures.ts';
import { startAskServer } from '../src/domains/askServer.ts';
import { openGeoip, type PlaceOf } from '../src/geo/geoip.ts';
import { openNetworks } from '../src/geo/networks.ts';
import { adoptPort, type Config, config } from '../src/kernel/config.ts';
import { isDiskDown } from '../src/kernel/diskFailures.ts';
import { log, nameProcess, sumUpOutages } from '../src/kernel/log.ts';
import { once } from '../src/kernel/memoize.ts';
import type { Outage } from '../src/kernel/outageLog.ts';
import { openSecrets } from '../src/kernel/secrets.ts';
import { useLinkRules } from '../src/links/linkInput.ts';
import { openWebServer, type WebServer } from '../src/net/webServer.ts';
import { appPage } from '../src/redirect/appPage/appPage.ts';
import type { Snapshot } from '../src/redirect/SnapshotState.ts';
import { startRedirects } from '../src/redirect/startRedirects.ts';
import { serveAdmin } from './admin/adminServer.ts';
import { beginJobs } from './beginJobs.ts';
import { dispatch } from './dispatch.ts';
import { readiness, startMetricsServer } from './monitoring.ts';
import { openStore } from './openStore.ts';
import { startFault } from './startFault.ts';
import { startTracing } from './startTracing.ts';
import { showBacklogs, showBuild, showConnections } from './storeMetrics.ts';
import { openWebApp } from './webApp.ts';

export interface Product {
  /** The port on which the product listens. */
  port: number;
  /**
   * Finishes running work and closes everything. Before that, requests are still served for `delaySeconds` while /readyz
   * returns 503. It is safe to call it twice.
   */
  stop(options?: StopOptions): Promise<void>;
}

interface StopOptions {
  delaySeconds?: number;
  /** How long idle connections are kept open for requests that are already on their way. */
  lingerMs?: number;
}

interface StartOptions {
  /** Receives the first account of an empty store before the product is ready. Repeated at each start until it succeeds. */
  onFirstStart?: (account: FirstAccount) => unknown;
  /** Receives what ends this process after the start: what is wrong with a store that came back after a start without it. */
  onFault?: (error: unknown) => void;
}

/** The parts that each role runs. */
const PARTS = {
  all: { web: true, redirect: true, worker: true },
  web: { web: true, redirect: false, worker: false },
  redirect: { web: false, redirect: true, worker: false },
  worker: { web: false, redirect: false, worker: true },
} as const;

/**
 * The composition root: starts the store, schema, APIs, redirects and jobs that `config` asks for. When a step fails,
 * everything that was opened is closed again.
 */
export async function startProduct({ onFirstStart, onFault = () => {} }: StartOptions = {}): Promise<Product> {
  log.level = config.logLevel;
  if (config.logProcess) nameProcess(config.role);
  sumUpOutages(outageOf);
  const parts = PARTS[config.role];
  const opened: (() => Promise<unknown>)[] = [];
  let server: WebServer | null = null;
  let isStopping = false;
  let linger = 0;
  const stop = async ({ delaySeconds = 0, lingerMs = 0 }: StopOptions = {}) => {
    isStopping = true;
    linger = lingerMs;
    server?.announce();
    if (delaySeconds > 0) await delay(delaySeconds * 1000);
    for (const close of opened.splice(0).reverse()) {
      await close().catch((error) => log.warn({ err: error }, 'a part did not stop cleanly'));
    }
  };
  try {
    // The port comes first: if it is in use, nothing else must be created.
    const web = await openWebServer(config);
    server = web;
    adoptPort(web.port);
    opened.push(() => web.end());
    await guardDataDir(config.dataDir);
    if (!config.databaseUrl || parts.redirect) {
      const lock = await lockDataDir(config.dataDir);
      opened.push(lock.release);
    }
    refuseHalfRestored(config.dataDir);
    await openSecrets(config);
    opened.push(closeDatabase, closeClickHouse);
    const store = await openStore(config, onFault);
    opened.push(store.stop);
    opened.push((await startTracing(config)).stop);
    showBuild(config);
    showConnections();
    const listener = listenForAnnouncements(config);
    opened.push(listener.stop);
    if (!config.databaseUrl) await releaseOrphanedClaims();
    await forgetUploads();
    const schema = buildGraphqlSchema();
    useLinkRules(linkRules(schema));
    const account = parts.web ? await firstStart(config) : null;
    const jobs = parts.worker ? beginJobs(config) : null;
    if (jobs) {
      opened.push(jobs.stop);
      showLostJournals();
      showBacklogs();
    }
    const places = once(openGeoip);
    const redirects = await openTraffic(config, parts, { places, snapshot: store.snapshot }, opened);
    if (config.clickJournals && (parts.worker || parts.redirect))
      opened.push(startTakeovers(config.clickJournals, config.dataDir).stop);
    const ready = readiness({
      isStopping: () => isStopping,
      // Links are served from memory; a load balancer that removes this process would stop them.
      worksWithoutStore: () => !parts.web && redirects?.knowsLinks() === true,
    });
    const app = await openWebApp(schema, { hasWeb: parts.web, ready });
    opened.push(app.stop);
    await jobs?.ready();
    if (config.askPort > 0 && config.role !== 'worker') opened.push((await startAskServer(config)).stop);
    if (config.metricsPort) opened.push((await startMetricsServer(config.metricsPort)).stop);
    if (account && onFirstStart) {
      await onFirstStart(account);
      await forgetFirstAccount();
    }
    // Streams end first, because the server waits for its open responses.
    opened.push(() => web.end(linger), ...app.endStreams);
    // The embedded store is this process's alone: what operators ask for has to be done here.
    if (!config.databaseUrl && jobs)
      opened.push((await serveAdmin(config.dataDir, { lent: { jobStore: jobs.store }, explain: startFault })).stop);
    web.setListener(dispatch({ app: app.listener, redirect: redirects?.handle ?? null, appPage: appPage(places) }));
    app.prepare().catch((error) => log.error({ err: error }, 'the document of the API cannot be made'));
    return { port: web.port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What redirects and app opens need: GeoIP, visitor keys, networks. */
async function openTraffic(
  config: Config,
  parts: (typeof PARTS)[keyof typeof PARTS],
  { places, snapshot }: { places: () => Promise<PlaceOf>; snapshot: Snapshot | null },
  opened: (() => Promise<unknown>)[],
) {
  if (!parts.redirect && !parts.web) return null;
  const [placeOf, keys, networkOf] = [await places(), await openVisitorKeys(snapshot !== null), await openNetworks()];
  opened.push(async () => keys.close());
  const redirects = parts.redirect ? await startRedirects(config, { placeOf, keys, snapshot }) : null;
  if (redirects) opened.push(redirects.stop);
  setAttributionContext({ keys, placeOf, networkOf, flushClicks: redirects?.flush ?? (async () => {}) });
  return redirects;
}

function outageOf(error: Error): Outage | null {
  if (failureOf(error) === 'away') return 'store';
  return isDiskDown(error) ? 'disk' : null;
}
