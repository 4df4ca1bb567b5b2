import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import { authorizeProject } from '../access/authorize.ts';
import type { KeyPrincipal, Principal } from '../access/principal.ts';
import { Places } from '../access/shares.ts';
import { currentKeyPrincipal } from '../access/verifyKey.ts';
import { awaitClicks } from '../clicks/listeningProjects.ts';
import type { EventType } from '../events/catalogue.ts';
import {
  countAfter,
  createdAtOf,
  eventsAfter,
  maybeCommittedAfter,
  type Place,
  placeAt,
  type TailFilter,
} from '../events/tailStore.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import { timeOfId } from '../kernel/ids.ts';
import { log } from '../kernel/log.ts';
import { showGauge } from '../kernel/metrics.ts';
import { signals } from '../kernel/signals.ts';
import { ownLink } from '../links/linkReferences.ts';
import { eventsOfIds, type ShownEvent } from '../webhooks/eventService.ts';
import { EventFeed, type EventListener, LATE_MS } from './EventFeed.ts';
import { type Backlog, EventTail } from './EventTail.ts';
import { Feeds } from './ProjectFeed.ts';

/** Which events of a project somebody wants to get. */
export interface TailRequest {
  projectId: string;
  /** Null: every type. */
  types: readonly EventType[] | null;
  /** The id of a link, or `ext_<external id>`. */
  linkId: string | null;
  /** The last event that they have; null: nothing from before. */
  afterId: string | null;
}

/** Events from before that a stream begins with; GET /events has them all. */
const MAX_BACKLOG = 1000;
/** More skipped events than this are not counted. */
const MAX_COUNTED = 100_000;
/** Much more often than clicks cease to be awaited. */
const AWAIT_EVERY_MS = 60_000;
/** How far the clocks of two processes may differ where one compares its time with that of the other. */
const SKEW_MS = 2000;

/** What has happened since an event, oldest first, as a stream begins. Throws `not_found`. */
export async function eventsSince(
  principal: Principal,
  request: TailRequest,
): Promise<{ data: ShownEvent[]; skipped: number }> {
  const filter = await filterOf(principal, request);
  const { events, skipped } = await backlogOf(filter, request.afterId);
  const ids = events.map(({ id }) => id);
  const shown = await eventsOfIds(principal, ids);
  return { data: ids.flatMap((id) => shown.get(id) ?? []), skipped };
}

/** The streams of events that this process sends, and a feed for each project that they show. */
export class EventStreams {
  readonly #feeds = new Feeds<EventListener, EventFeed>(
    (projectId) =>
      new EventFeed(projectId, (error) =>
        log.warn({ err: error, projectId }, 'could not look for new events; they will be looked for again'),
      ),
  );
  /** By stream, the key that opened it. */
  readonly #streams = new Map<EventTail, KeyPrincipal>();
  readonly #places = new Places('eventStreams');
  /** When clicks were last awaited, by project. */
  readonly #awaitedAt = new LRUCache<string, number>({ max: 1000 });
  readonly #unsubscribe: (() => void)[];
  /** Feeds outlive the request that starts them, so they must not run in its context. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #isStopping = false;

  constructor() {
    showGauge('svc_event_streams', 'Streams of events that are open.', () => this.#streams.size);
    const recheck = () => this.#apart(() => void this.#recheckAll());
    this.#unsubscribe = [
      signals.on('outbox', (projectId) => this.#feeds.wake(projectId || null)),
      signals.onMissed(() => this.#feeds.wake(null)),
      signals.on('key', recheck),
      signals.on('project', recheck),
    ];
  }

  /**
   * A stream of the events that are committed from now on, and before them of those after `afterId`. It ends when the key may
   * no longer read them. Throws `not_found`, `insufficient_scope`, `rate_limited`, `unavailable`.
   */
  async open(principal: KeyPrincipal, request: TailRequest): Promise<EventTail> {
    const filter = await filterOf(principal, request);
    this.#refuseTooMany(principal.keyId);
    const tail = new EventTail(filter, request.afterId);
    this.#places.take(tail, principal);
    this.#streams.set(tail, principal);
    tail.once('close', () => {
      this.#streams.delete(tail);
      this.#places.leave(tail);
      this.#feeds.leave(filter.projectId, tail);
    });
    try {
      if (wantsClicks(filter)) await this.#apart(() => this.#awaitClicks(filter.projectId));
      await this.#apart(() => this.#feeds.of(filter.projectId).join(tail));
      const backlog = await backlogOf(filter, request.afterId);
      this.#apart(() => {
        tail.begin(backlog);
        const beating = setInterval(() => void this.#beat(tail, filter), config.liveHeartbeatSeconds * 1000).unref();
        tail.once('close', () => clearInterval(beating));
      });
    } catch (error) {
      tail.destroy();
      throw error;
    }
    if (this.#isStopping) tail.finish();
    return tail;
  }

  /** Ends all streams. Clients reconnect by themselves. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    for (const tail of this.#streams.keys()) tail.finish();
    await this.#feeds.stop();
  }

  #refuseTooMany(keyId: string): void {
    if (this.#isStopping)
      throw new CodedError('unavailable', 'The service is restarting. Try again later.', { retryAfterSeconds: 5 });
    const most = config.eventStreamsPerKey;
    if ([...this.#streams.values()].filter((other) => other.keyId === keyId).length >= most)
      throw new CodedError('rate_limited', `A key has at most ${most} streams. Close one, or take another key.`, {
        retryAfterSeconds: 5,
      });
  }

  async #beat(tail: EventTail, filter: TailFilter): Promise<void> {
    tail.beat();
    await this.#recheck(tail);
    const isOpen = this.#streams.has(tail);
    if (isOpen && wantsClicks(filter)) await this.#awaitClicks(filter.projectId).catch(ignoreStore);
  }

  /** Clicks only become events where somebody wants them; once a minute for all streams of a project. */
  async #awaitClicks(projectId: string): Promise<void> {
    const nowMs = clock.now();
    if (Math.abs(nowMs - (this.#awaitedAt.get(projectId) ?? 0)) < AWAIT_EVERY_MS) return;
    this.#awaitedAt.set(projectId, nowMs);
    try {
      await awaitClicks(projectId);
    } catch (error) {
      this.#awaitedAt.delete(projectId);
      throw error;
    }
  }

  async #recheckAll(): Promise<void> {
    for (const tail of [...this.#streams.keys()]) await this.#recheck(tail);
  }

  /** Ends the stream once its key may no longer read the events. If that cannot be determined, the stream goes on. */
  async #recheck(tail: EventTail): Promise<void> {
    const opener = this.#streams.get(tail);
    if (!opener) return;
    try {
      const now = await currentKeyPrincipal(opener.keyId);
      if (now) await authorizeProject(now, 'events:read', opener.projectId);
      else tail.finish();
    } catch (error) {
      if (error instanceof CodedError) tail.finish();
      else log.debug({ err: error }, 'could not check whether a stream of events may go on');
    }
  }
}

function wantsClicks({ types }: TailFilter): boolean {
  return types === null || types.includes('link.clicked');
}

/** It is tried again with the next beat, long before clicks are no longer awaited. */
function ignoreStore(error: unknown): void {
  log.debug({ err: error }, 'could not say that clicks are awaited');
}

async function filterOf(principal: Principal, { projectId, types, linkId }: TailRequest): Promise<TailFilter> {
  await authorizeProject(principal, 'events:read', projectId);
  if (linkId === null) return { projectId, types, linkId };
  const link = await ownLink(projectId, linkId);
  if (!link) throw notFound('link');
  return { projectId, types, linkId: link.id };
}

async function backlogOf(filter: TailFilter, afterId: string | null): Promise<Backlog> {
  if (afterId === null) return { events: [], skipped: 0, isMore: false };
  const oldestMs = clock.now() - config.eventRetentionDays * DAY_MS;
  // The id of an event that is gone still tells when it was, or when its cause was.
  const atMs = (await createdAtOf(filter.projectId, afterId)) ?? timeOfId(afterId);
  const place: Place = atMs < oldestMs ? placeAt(oldestMs) : { id: afterId, atMs };
  const late = { windowMs: LATE_MS, skewMs: SKEW_MS, limit: MAX_BACKLOG };
  const [before, found] = [
    await maybeCommittedAfter(filter, place, late),
    await eventsAfter(filter, place, MAX_BACKLOG + 1),
  ];
  const after = found.slice(0, MAX_BACKLOG);
  const last = found.length > MAX_BACKLOG ? after.at(-1) : undefined;
  const skipped = last ? await countAfter(filter, last, MAX_COUNTED + 1) : 0;
  return {
    events: [...before, ...after],
    skipped: Math.min(skipped, MAX_COUNTED),
    isMore: skipped > MAX_COUNTED,
  };
}
