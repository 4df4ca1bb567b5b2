import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type EventRef, envelopesOf, type TailFilter } from '../events/tailStore.ts';
import { log } from '../kernel/log.ts';
import { ALIVE, messageOf, RETRY } from '../kernel/serverSentEvents.ts';
import type { EventListener } from './EventFeed.ts';

/** What came before a stream goes live. */
export interface Backlog {
  events: readonly EventRef[];
  /** Further events that came before now. */
  skipped: number;
  /** There are even more than `skipped`. */
  isMore: boolean;
}

/** Stands in the queue for events that are not sent: those after `afterId`. */
interface Gap {
  count: number;
  isMore: boolean;
  afterId: string | null;
}

/** Events whose data is read at once; about 150 KB. */
const PAGE = 100;
/** Ids that wait for a slow reader: a minute of 800 clicks a second. What comes above that is skipped, and the reader told. */
const MAX_WAITING = 50_000;
/** A reader that takes nothing for so long is cut; it can come back with the last id that it has. */
const STALLED_MS = 30_000;
/** Between tries to read events while the store does not answer. */
const RETRY_MS = 1000;

/** Server-sent events for one reader, made as fast as they are read: only ids wait in memory. */
export class EventTail extends Readable implements EventListener {
  readonly #filter: TailFilter;
  #queue: (string | Gap)[] = [];
  /** Ids of the backlog, which the feed may tell as well. */
  #known = new Set<string>();
  /** The last id that was queued. */
  #lastId: string | null;
  #hasBegun = false;
  #isEnding = false;
  #isWorking = false;
  /** Of the monotonic clock: since when the reader has taken nothing although something waits. Null: it wants more. */
  #fullSinceMs: number | null = null;

  readonly #stalledMs: number;

  /** `afterId`: the last event that the reader has. */
  constructor(filter: TailFilter, afterId: string | null, stalledMs = STALLED_MS) {
    super({ highWaterMark: 65_536 });
    this.#filter = filter;
    this.#stalledMs = stalledMs;
    this.#lastId = afterId;
  }

  onEvents(events: readonly EventRef[]): void {
    const { types, linkId } = this.#filter;
    for (const { id, type, linkId: its } of events) {
      if (linkId !== null && its !== linkId) continue;
      if (types !== null && !(types as readonly string[]).includes(type)) continue;
      this.#enqueue(id);
    }
    void this.#work();
  }

  /** Starts the stream: with the backlog, then with what the feed told meanwhile. */
  begin({ events, skipped, isMore }: Backlog): void {
    this.#known = new Set(events.map(({ id }) => id));
    const live = this.#queue.filter((entry) => typeof entry === 'string' && !this.#known.has(entry));
    this.#queue = [...this.#known];
    this.#lastId = events.at(-1)?.id ?? this.#lastId;
    // What is live comes after the gap; it was counted if it came before the count.
    const count = skipped - live.length;
    if (count > 0) this.#queue.push({ count, isMore, afterId: this.#lastId });
    this.#queue.push(...live);
    this.#hasBegun = true;
    this.#send(RETRY);
    void this.#work();
  }

  /** Keeps proxies from closing an idle connection, and cuts a reader that takes nothing. */
  beat(): void {
    if (this.#fullSinceMs === null) {
      if (this.#hasBegun && !this.#isWorking && !this.#isEnding) this.#send(ALIVE);
    } else if (performance.now() - this.#fullSinceMs > this.#stalledMs) this.destroy();
  }

  /** Ends the stream after what is already on its way. */
  finish(): void {
    if (this.#isEnding || this.destroyed) return;
    this.#isEnding = true;
    this.push(RETRY);
    this.push(null);
  }

  override _read(): void {
    this.#fullSinceMs = null;
    void this.#work();
  }

  #enqueue(id: string): void {
    if (this.#known.has(id)) return;
    const last = this.#queue.at(-1);
    if (this.#queue.length < MAX_WAITING) {
      this.#queue.push(id);
      this.#lastId = id;
    } else if (typeof last === 'object') last.count += 1;
    else this.#queue.push({ count: 1, isMore: false, afterId: this.#lastId });
  }

  /** Sends what waits until the reader has enough. */
  async #work(): Promise<void> {
    if (this.#isWorking || !this.#hasBegun) return;
    this.#isWorking = true;
    while (this.#queue.length > 0 && this.#fullSinceMs === null && !this.#isEnding && !this.destroyed) {
      try {
        const text = await this.#next();
        if (text !== '') this.#send(text);
      } catch (error) {
        log.warn({ err: error, projectId: this.#filter.projectId }, 'could not read events; they will be read again');
        await delay(RETRY_MS, undefined, { ref: false });
      }
    }
    this.#isWorking = false;
  }

  /** The next entries of the queue as text. An event that has been purged meanwhile is left out. */
  async #next(): Promise<string> {
    const [first] = this.#queue;
    if (typeof first === 'object') {
      this.#queue.shift();
      return gapText(first);
    }
    const until = this.#queue.slice(0, PAGE).findIndex((entry) => typeof entry !== 'string');
    const ids = this.#queue.slice(0, until < 0 ? PAGE : until) as string[];
    const envelopes = await envelopesOf(ids);
    this.#queue.splice(0, ids.length);
    return ids
      .flatMap((id) => {
        const envelope = envelopes.get(id);
        return envelope === undefined ? [] : messageOf({ id, event: envelope.type, data: envelope.text });
      })
      .join('');
  }

  #send(text: string): void {
    if (this.#isEnding || this.destroyed) return;
    if (!this.push(text)) this.#fullSinceMs = performance.now();
  }
}

/** `after`: with this id in `after` of another request, the skipped events can be had. */
function gapText({ count, isMore, afterId }: Gap): string {
  const data = { count, ...(isMore ? { at_least: true } : {}), after: afterId };
  return messageOf({ event: 'skipped', data: JSON.stringify(data) });
}
