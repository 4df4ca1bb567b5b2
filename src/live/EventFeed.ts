import { setTimeout as delay } from 'node:timers/promises';
import { type EventRef, eventsAfter, type Place, placeAt } from '../events/tailStore.ts';
import { clock } from '../kernel/clock.ts';
import { ProjectFeed } from './ProjectFeed.ts';

/** Receives the events of a project as they are committed. */
export interface EventListener {
  /** Oldest first. */
  onEvents(events: readonly EventRef[]): void;
}

/**
 * How far back events are looked for: an event gets its time before its transaction commits, and transactions take less
 * than this. It also covers clocks of other processes that are slow.
 */
export const LATE_MS = 60_000;
/** Most transactions take less than this, so most polls look back no further. */
const USUALLY_LATE_MS = 5000;
/** How soon after such a poll one looks back all the way. */
const FULL_EVERY_MS = 1000;
/** Announcements of other processes can be lost. */
const UNTOLD_MS = 15_000;
/** Between two polls: a busy project is not polled for each of its commits. */
const GAP_MS = 50;
const PAGE = 5000;

/** The events of one project; woken by their announcement. New ones are recognized by their ids, as commits come in no fixed order. */
export class EventFeed extends ProjectFeed<EventListener> {
  readonly #projectId: string;
  /** When the events of the last minute were created, by their ids; null before the first poll. */
  #known: Map<string, number> | null = null;
  #polledAt = 0;
  #lookedBackAt = 0;
  #mustLookBack = false;

  constructor(projectId: string, onError: (error: unknown) => void) {
    super({ everyMs: () => this.#pauseMs(), onError });
    this.#projectId = projectId;
  }

  join(listener: EventListener): Promise<void> {
    return this.enter(listener);
  }

  protected async poll(): Promise<void> {
    const restMs = this.#polledAt + GAP_MS - clock.now();
    if (restMs > 0 && restMs <= GAP_MS) await delay(restMs);
    const startedAt = clock.now();
    const sinceMs = Math.min(startedAt, this.#polledAt || startedAt);
    const looksBack = Math.abs(startedAt - this.#lookedBackAt) >= FULL_EVERY_MS;
    const fresh = await this.#findNew(sinceMs - (looksBack ? LATE_MS : USUALLY_LATE_MS));
    this.#mustLookBack = !looksBack;
    this.#polledAt = clock.now();
    if (looksBack) this.#lookedBackAt = startedAt;
    if (fresh.length > 0) for (const listener of this.listeners) listener.onEvents(fresh);
  }

  async #findNew(fromMs: number): Promise<EventRef[]> {
    const isFirst = this.#known === null;
    const known = new Map(this.#known);
    const fresh: EventRef[] = [];
    const filter = { projectId: this.#projectId, types: null, linkId: null };
    let place: Place | undefined = placeAt(fromMs);
    while (place) {
      const page: EventRef[] = await eventsAfter(filter, place, PAGE);
      for (const event of page) {
        if (!known.has(event.id)) fresh.push(event);
        known.set(event.id, event.atMs);
      }
      place = page.length === PAGE ? page.at(-1) : undefined;
    }
    for (const [id, atMs] of known) if (atMs < fromMs - LATE_MS) known.delete(id);
    this.#known = known;
    return isFirst ? [] : fresh;
  }

  #pauseMs(): number {
    return this.#mustLookBack ? FULL_EVERY_MS : UNTOLD_MS;
  }
}
