import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GraphQLSchema } from 'graphql';
import { createApp } from '../facade/app.ts';
import { operationsMounts } from '../facade/operations.ts';
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
import { closingOf } from './closingOf.ts';
import { closeDatabase, openDatabase, select } from './db/database.ts';
import { lockDataDir } from './db/dataDirLock.ts';
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
import { connectModels } from './models/index.ts';
import { appPage } from './redirect/appPage/appPage.ts';
import { openPlaces, type PlaceOf } from './redirect/places.ts';
import { startRedirects } from './redirect/startRedirects.ts';
import { startRollups } from './rollups/startRollups.ts';
import { type FirstAccount, firstStart } from './services/accounts/firstStart.ts';
import { useSurroundings } from './services/apps/surroundings.ts';
import { useLinkRules } from './services/links/parseLinkRow.ts';

export interface Product {
  /** The port that is listened on. */
  port: number;
  /** Finishes what is in hand and closes everything. Can be called twice. */
  stop(): Promise<void>;
}

interface StartOptions {
  /** Gets the first account of an empty store, before the product is ready. */
  onFirstStart?: (account: FirstAccount) => void;
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
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) {
      await close().catch((error) => log.warn({ err: error }, 'a part did not stop cleanly'));
    }
  };
  try {
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
    const account = await firstStart(config);
    if (parts.worker) {
      const jobs = await startJobs(config);
      opened.push(jobs.stop, startRollups().stop);
    }
    const places = once(openPlaces);
    const redirects = await openTraffic(config, parts, places, opened);
    const live = new LiveClicks();
    const app = await webApp(schema, parts.web ? live : null, opened);
    const leading = appPage(places);
    const server = createServer(dispatch({ app, redirect: redirects?.handle ?? null, appPage: leading }));
    const close = closingOf(server);
    const port = await listen(server);
    // Streams first: the server waits for its answers to end.
    opened.push(close, () => live.stop());
    if (config.askPort > 0 && config.role !== 'worker') opened.push((await startAskServer(config)).stop);
    settlePort(port);
    if (account) onFirstStart?.(account);
    return { port, stop };
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

async function webApp(schema: GraphQLSchema, live: LiveClicks | null, opened: (() => Promise<unknown>)[]) {
  const operations = operationsMounts(readiness);
  if (!live) return createApp(schema, operations).callback();
  const graphql = await startGraphqlServer(schema);
  opened.push(graphql.stop);
  // What is below another path is mounted before it.
  const mounts = { [OWN_PATHS.liveClicks]: liveClicksMiddleware(live), [OWN_PATHS.graphql]: graphql.middleware };
  return createApp(schema, { ...operations, ...mounts }).callback();
}

async function readiness(): Promise<string | null> {
  try {
    await select('SELECT 1 AS one');
    return null;
  } catch {
    return 'The store cannot be reached.';
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: config.port, ...(config.host ? { host: config.host } : {}) }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
