import { setTimeout as delay } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import { createApp, whileStoreAnswers } from '../facade/app.ts';
import { downloadsMounts } from '../facade/downloads.ts';
import { operationsMounts, type Readiness } from '../facade/operations.ts';
import { forgetUploads } from '../facade/spool.ts';
import { startJobs } from '../jobs/startJobs.ts';
import { buildGraphqlSchema } from '../schema/build.ts';
import { linkRules } from '../schema/links/linkRules.ts';
import { liveClicksMiddleware } from '../schema/liveClicks.ts';
import { startGraphqlServer } from '../schema/server.ts';
import { freeClaimsOfDeadProcess } from './access/idempotency/records.ts';
import { writeKeyUse } from './access/keyUse.ts';
import { forgetQuotas } from './access/quotas/quotas.ts';
import { openVisitorKeys } from './clicks/visitorKeys.ts';
import { closeDatabase, openDatabase } from './db/database.ts';
import { lockDataDir } from './db/dataDirLock.ts';
import { guardDataDir } from './db/guardDataDir.ts';
import { listenForAnnouncements } from './db/listen.ts';
import { migrate } from './db/migrate.ts';
import { dispatch } from './dispatch.ts';
import { startAskServer } from './domains/startAskServer.ts';
import { type Config, config, settlePort } from './kernel/config.ts';
import { log } from './kernel/log.ts';
import { OWN_PATHS } from './kernel/ownPaths.ts';
import { openSecrets } from './kernel/secrets.ts';
import { LiveClicks } from './live/LiveClicks.ts';
import { openNetworks } from './matching/networks.ts';
import { startMetricsServer } from './metricsServer.ts';
import { connectModels } from './models/index.ts';
import { readiness } from './readiness.ts';
import { appPage } from './redirect/appPage/appPage.ts';
import { openPlaces, type PlaceOf } from './redirect/places.ts';
import { startRedirects } from './redirect/startRedirects.ts';
import { startRollups } from './rollups/startRollups.ts';
import { type FirstAccount, firstStart, forgetFirstAccount } from './services/accounts/firstStart.ts';
import { useSurroundings } from './services/apps/surroundings.ts';
import { useLinkRules } from './services/links/parseLinkRow.ts';
import { openWebServer, type WebServer } from './webServer.ts';

export interface Product {
  /** The port that is listened on. */
  port: number;
  /**
   * Finishes what is in hand and closes everything; before that, requests are answered for `delaySeconds` while
   * /readyz says that it is over. Can be called twice.
   */
  stop(options?: StopOptions): Promise<void>;
}

interface StopOptions {
  delaySeconds?: number;
  /** How long connections that are idle are waited on, for requests that are on their way. */
  lingerMs?: number;
}

interface StartOptions {
  /** Gets the first account of an empty store, before the product is ready; at each start until one has got that far. */
  onFirstStart?: (account: FirstAccount) => unknown;
}

/** Which parts each role runs. */
const PARTS = {
  all: { web: true, redirect: true, worker: true },
  web: { web: true, redirect: false, worker: false },
  redirect: { web: false, redirect: true, worker: false },
  worker: { web: false, redirect: false, worker: true },
} as const;

/** Starts the product as `config` says: stores, schema, surfaces, jobs. What was opened is closed when a step fails. */
export async function startProduct({ onFirstStart }: StartOptions = {}): Promise<Product> {
  log.level = config.logLevel;
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
    // First of all: what is made on a port that is taken would be made for nobody.
    const web = await openWebServer(config);
    server = web;
    settlePort(web.port);
    opened.push(() => web.end());
    await guardDataDir(config.dataDir);
    if (!config.databaseUrl || parts.redirect) {
      const lock = await lockDataDir(config.dataDir);
      opened.push(lock.release);
    }
    await openSecrets(config);
    opened.push(closeDatabase);
    await openDatabase(config);
    connectModels();
    await migrate();
    const listener = listenForAnnouncements(config);
    opened.push(listener.stop, writeKeyUse, async () => forgetQuotas());
    if (!config.databaseUrl) await freeClaimsOfDeadProcess();
    await forgetUploads();
    const schema = buildGraphqlSchema();
    useLinkRules(linkRules(schema));
    const account = parts.web ? await firstStart(config) : null;
    if (parts.worker) {
      const jobs = await startJobs(config);
      opened.push(jobs.stop, startRollups().stop);
    }
    const places = once(openPlaces);
    const redirects = await openTraffic(config, parts, places, opened);
    const live = new LiveClicks();
    const ready = readiness({
      isStopping: () => isStopping,
      // Links are answered from memory: taken out, none of them would be.
      worksWithoutStore: () => !parts.web && redirects?.knowsLinks() === true,
    });
    const app = await webApp(schema, { live: parts.web ? live : null, ready }, opened);
    if (config.askPort > 0 && config.role !== 'worker') opened.push((await startAskServer(config)).stop);
    if (config.metricsPort) opened.push((await startMetricsServer(config.metricsPort)).stop);
    if (account && onFirstStart) {
      await onFirstStart(account);
      await forgetFirstAccount();
    }
    // Streams end first: the server waits for its answers.
    opened.push(
      () => web.end(linger),
      () => live.stop(),
    );
    web.answerBy(dispatch({ app, redirect: redirects?.handle ?? null, appPage: appPage(places) }));
    return { port: web.port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What follows links, and what apps are answered by. */
async function openTraffic(
  config: Config,
  parts: (typeof PARTS)[keyof typeof PARTS],
  places: () => Promise<PlaceOf>,
  opened: (() => Promise<unknown>)[],
) {
  if (!parts.redirect && !parts.web) return null;
  const [placeOf, keys, networkOf] = [await places(), await openVisitorKeys(), await openNetworks()];
  opened.push(async () => keys.close());
  const redirects = parts.redirect ? await startRedirects(config, { placeOf, keys }) : null;
  if (redirects) opened.push(redirects.stop);
  useSurroundings({ keys, placeOf, networkOf, flushClicks: redirects?.flush ?? (async () => {}) });
  return redirects;
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function webApp(
  schema: GraphQLSchema,
  { live, ready }: { live: LiveClicks | null; ready: Readiness },
  opened: (() => Promise<unknown>)[],
) {
  const operations = operationsMounts(ready);
  if (!live) return createApp(schema, operations).callback();
  const graphql = await startGraphqlServer(schema);
  opened.push(graphql.stop);
  // What is below another path is mounted before it.
  const mounts = {
    ...(await downloadsMounts()),
    [OWN_PATHS.liveClicks]: liveClicksMiddleware(live),
    [OWN_PATHS.graphql]: [whileStoreAnswers, ...graphql.middleware],
  };
  return createApp(schema, { ...operations, ...mounts }).callback();
}
