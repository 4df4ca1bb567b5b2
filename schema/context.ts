import DataLoader from 'dataloader';
import { type AccountLimitsUse, limitsOfTeams } from '../src/access/accountLimits.ts';
import type { Principal } from '../src/access/principal.ts';
import type { Client, NewSession } from '../src/accounts/sessionService.ts';
import { eventsOfInstalls, opensOfInstalls } from '../src/attribution/timelineService.ts';
import { namesOfActors } from '../src/audit/auditService.ts';
import { linksOnDomains } from '../src/domains/domainService.ts';
import type { FieldProblem } from '../src/kernel/errors.ts';
import { creatorsOfLinks, linksOfIds } from '../src/links/linkService.ts';
import type { Delivery } from '../src/models/Delivery.ts';
import type { Link } from '../src/models/Link.ts';
import type { Team } from '../src/models/Team.ts';
import { linksWithTags, tagNamesOfLinks, tagsOfIds } from '../src/tags/tagService.ts';
import { attemptsOfDeliveries, bodiesOf } from '../src/webhooks/deliveryService.ts';
import { eventsOfIds } from '../src/webhooks/eventService.ts';
import { webhooksOfIds } from '../src/webhooks/webhookService.ts';
import { statsOfWebhooks, type WebhookStats } from '../src/webhooks/webhookStatsService.ts';

/** A request body that was spooled to a file. `remove` deletes it after the response. */
export interface Upload {
  path: string;
  bytes: number;
  sha256: string;
  remove(): Promise<void>;
}

/** What resolvers know about the request. */
export interface Context {
  principal: Principal;
  requestId: string;
  loaders: Loaders;
  /**
   * Problems that the facade found when it validated the arguments with their REST names. Undefined: the schema validates
   * them.
   */
  problems?: FieldProblem[];
  /** For a draft: fields that broke their rules and were left out of its input, as the wire spells them. */
  illFormed?: ReadonlySet<string>;
  /** The address of the client, used only for rate limits. */
  clientAddress: string;
  /** The connection came from this machine, directly or through a proxy. Only set for browsers. */
  isFromThisMachine?: boolean;
  /** The User-Agent header, shown in the list of sessions. */
  userAgent?: string | undefined;
  /** The CSV file in the body of a REST request. */
  upload?: Upload;
  /** Sets the session cookie, or clears it with null. Only for browsers. */
  setSession?: (token: string | null) => void;
  /** The cookie that names the accounts to which this browser has signed in, and its setter. */
  knownBrowsers?: string | undefined;
  setKnownBrowsers?: (value: string) => void;
  /** Called for an operation whose answer may be compressed, because it contains no secret. */
  allowCompression?: () => void;
}

export function createContext(given: Omit<Context, 'loaders'>): Context {
  return { ...given, loaders: createLoaders(given.principal) };
}

/** Replaces who asks, with everything that is loaded for them, for the fields that are resolved from now on. */
export function changePrincipal(context: Context, principal: Principal): void {
  if (principal === context.principal) return;
  context.principal = principal;
  context.loaders = createLoaders(principal);
}

/** The client, for operations of people who are not signed in yet. */
export function clientOf({ clientAddress, isFromThisMachine = false, userAgent, knownBrowsers }: Context): Client {
  return { address: clientAddress, isFromThisMachine, userAgent, knownBrowsers };
}

/** Sets the cookies of a new session. */
export function setSessionCookies(
  { setSession, setKnownBrowsers }: Context,
  { token, knownBrowsers }: NewSession,
): void {
  setSession?.(token);
  setKnownBrowsers?.(knownBrowsers);
}

/** Related rows of a list, loaded once for the whole list. Created for each request. */
function createLoaders(principal: Principal) {
  return {
    links: loaderOf((ids) => linksOfIds(principal, ids)),
    tags: loaderOf((ids) => tagsOfIds(principal, ids)),
    webhooks: loaderOf((ids) => webhooksOfIds(principal, ids)),
    events: loaderOf((ids) => eventsOfIds(principal, ids)),
    teamLimits: new DataLoader<Team, AccountLimitsUse | null, string>(
      async (teams) => {
        const limits = await limitsOfTeams(teams);
        return teams.map(({ id }) => limits.get(id) ?? null);
      },
      { cacheKeyFn: ({ id }) => id },
    ),
    linksWithTag: countLoader(linksWithTags),
    linksOnDomain: countLoader(linksOnDomains),
    linkTags: new DataLoader(async (linkIds: readonly string[]) => {
      const names = await tagNamesOfLinks(linkIds);
      return linkIds.map((id) => names.get(id) ?? []);
    }),
    linkCreators: new DataLoader(async (links: readonly Link[]) => {
      const creators = await creatorsOfLinks(links);
      return links.map(({ id }) => creators.get(id) ?? null);
    }),
    actorNames: new DataLoader(async (ids: readonly string[]) => {
      const names = await namesOfActors(principal, ids);
      return ids.map((id) => names.get(id) ?? null);
    }),
    webhookStats: new DataLoader(
      async (asked: readonly AskedStats[]) => {
        const groups = Map.groupBy(asked, ({ interval }) => interval);
        const found = [...groups].map(
          async ([interval, rows]) =>
            [interval, await statsOfWebhooks([...new Set(rows.map(({ webhookId }) => webhookId))], interval)] as const,
        );
        const stats = new Map(await Promise.all(found));
        return asked.map(({ webhookId, interval }) => stats.get(interval)?.get(webhookId) as WebhookStats);
      },
      { cacheKeyFn: ({ webhookId, interval }) => `${webhookId} ${interval}` },
    ),
    installOpens: newestLoader(opensOfInstalls),
    installEvents: newestLoader(eventsOfInstalls),
    bodies: new DataLoader<Delivery, string | null, string>(
      async (deliveries) => {
        const bodies = await bodiesOf(deliveries);
        return deliveries.map(({ id }) => bodies.get(id) ?? null);
      },
      { cacheKeyFn: ({ id }) => id },
    ),
    attempts: new DataLoader(async (deliveryIds: readonly string[]) => {
      const attempts = await attemptsOfDeliveries(deliveryIds);
      return deliveryIds.map((id) => attempts.get(id) ?? []);
    }),
  };
}

interface AskedStats {
  webhookId: string;
  interval: string | null;
}

/** Counts by the ids of rows that the caller may read. */
function countLoader(count: (ids: readonly string[]) => Promise<Map<string, number>>) {
  return new DataLoader(async (ids: readonly string[]) => {
    const counts = await count(ids);
    return ids.map((id) => counts.get(id) ?? 0);
  });
}

/** The newest rows of an install are asked for with a limit, which has a default. */
interface AskedNewest {
  projectId: string;
  installId: string;
  limit: number | null;
}

const DEFAULT_NEWEST = 20;
/** Installs of a page; a batch of more is split. */
const MAX_BATCH = 100;

function newestLoader<Row>(find: (installs: readonly AskedNewest[], limit: number) => Promise<Row[][]>) {
  return new DataLoader<AskedNewest, Row[], string>(
    async (asked) => {
      const most = Math.max(...asked.map(({ limit }) => limit ?? DEFAULT_NEWEST));
      const rows = await find(asked, most);
      return asked.map(({ limit }, at) => (rows[at] ?? []).slice(0, limit ?? DEFAULT_NEWEST));
    },
    {
      maxBatchSize: MAX_BATCH,
      cacheKeyFn: ({ projectId, installId, limit }) => `${projectId} ${installId} ${limit}`,
    },
  );
}

/** Loads rows by their ids; null where there is none that the principal may read, and for null instead of an id. */
function loaderOf<Row>(find: (ids: readonly string[]) => Promise<Map<string, Row>>) {
  const loader = new DataLoader<string, Row | null>(async (ids) => {
    const rows = await find(ids);
    return ids.map((id) => rows.get(id) ?? null);
  });
  return { load: async (id: string | null) => (id === null ? null : loader.load(id)) };
}

type Loaders = ReturnType<typeof createLoaders>;
