import { clickStore } from '../clicks/chosenStore.ts';
import { clickEventData, readClickedLinks } from '../clicks/clickEvent.ts';
import type { EventData } from '../events/presenters.ts';
import { clock } from '../kernel/clock.ts';
import { TRAFFIC_REASONS, type TrafficReason } from '../routing/trafficReason.ts';
import { ProjectFeed } from './ProjectFeed.ts';

/** Receives the clicks of a project as they happen. */
export interface Listener {
  /** The clicks are ordered oldest first. `skipped` is the number of further ones that are not shown. */
  onClicks(clicks: readonly LiveClick[], skipped: number): void;
}

/** How far back a reconnected listener gets the clicks that it missed. */
const WINDOW_MS = 5 * 60_000;
/** The newest clicks that each poll reads, so that clicks that reach the store late are noticed too. */
const MAX_POLLED = 1000;
/** The most clicks shown per poll, and therefore per second. */
const MAX_SHOWN = 100;

/** The clicks of one project. New ones are recognized by their ids, because clicks reach the store in no fixed order. */
export class ClickFeed extends ProjectFeed<Listener> {
  readonly #projectId: string;
  /** The ids that the last poll found, newest first; null before the first poll. */
  #known: string[] | null = null;

  constructor(projectId: string, everyMs: number, onError: (error: unknown) => void) {
    super({ everyMs: () => everyMs, onError });
    this.#projectId = projectId;
  }

  /** With `afterId` the listener first gets the clicks after that one. */
  join(listener: Listener, afterId: string | null): Promise<void> {
    return this.enter(listener, async () => {
      if (afterId !== null) await this.#notify([listener], (this.#known ?? []).filter((id) => id > afterId).reverse());
    });
  }

  protected async poll(): Promise<void> {
    const ids = await clickStore().newestIds(this.#projectId, clock.now() - WINDOW_MS, MAX_POLLED);
    const known = new Set(this.#known ?? ids);
    const fresh = ids.filter((id) => !known.has(id)).reverse();
    if (this.listeners.size > 0) await this.#notify([...this.listeners], fresh);
    this.#known = ids;
  }

  /** The ids are ordered oldest first. */
  async #notify(listeners: Listener[], ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const clicks = await readClicks(this.#projectId, ids.slice(-MAX_SHOWN));
    for (const listener of listeners) listener.onClicks(clicks, ids.length - clicks.length);
  }
}

/** A click as the stream shows it: `data` is that of `link.clicked`, with the sentence that says why it is no person's. */
export interface LiveClick {
  id: string;
  data: EventData['link.clicked'] & { why: string | null };
}

/** These clicks, oldest first, with what is known of their links now. */
async function readClicks(projectId: string, ids: readonly string[]): Promise<LiveClick[]> {
  if (ids.length === 0) return [];
  const clicks = await clickStore().read(projectId, ids);
  const links = await readClickedLinks([projectId], [...new Set(clicks.map(({ link_id }) => link_id))]);
  return clicks.map(({ traffic_reason, ...click }) => ({
    id: click.id,
    data: { ...clickEventData(click, links.get(click.link_id)), why: whyOf(traffic_reason) },
  }));
}

function whyOf(reason: string | null): string | null {
  return reason === null ? null : (TRAFFIC_REASONS[reason as TrafficReason]?.found ?? null);
}
