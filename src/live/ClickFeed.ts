import { clock } from '../kernel/clock.ts';
import { type Loop, startLoop } from '../kernel/loop.ts';
import { type LiveClick, newestClickIds, readClicks } from './readClicks.ts';

/** Gets the clicks of a project as they come. */
export interface Listener {
  /** Oldest first. `skipped` more came and are not shown. */
  hear(clicks: readonly LiveClick[], skipped: number): void;
}

/** How far back a listener that was away is told what it missed. */
const WINDOW_MS = 5 * 60_000;
/** Newest clicks that are looked at, so that those are noticed too that reach the store late. */
const LOOKED_AT = 1000;
/** Clicks shown at once. With a look each second this is also the most in a second. */
const SHOWN = 100;

/**
 * The clicks of one project, for all who listen in this process: the store is asked once a second, whichever process
 * writes to it. What is new is known by ids and not by time, since clicks reach the store in no order.
 */
export class ClickFeed {
  readonly #projectId: string;
  readonly #everyMs: number;
  readonly #listeners = new Set<Listener>();
  readonly #onError: (error: unknown) => void;
  #loop: Loop | null = null;
  /** Ids that were there with the last look, newest first; null before the first. */
  #known: string[] | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(projectId: string, everyMs: number, onError: (error: unknown) => void) {
    this.#projectId = projectId;
    this.#everyMs = everyMs;
    this.#onError = onError;
  }

  /**
   * Resolves when whatever reaches the store from now on will be heard. With `afterId` it hears first what came after
   * that click. Throws when the store cannot be asked.
   */
  join(listener: Listener, afterId: string | null): Promise<void> {
    return this.#inTurn(async () => {
      await this.#look();
      if (afterId !== null) await this.#tell([listener], (this.#known ?? []).filter((id) => id > afterId).reverse());
      this.#listeners.add(listener);
      this.#loop ??= startLoop(
        () => this.#inTurn(() => this.#look()),
        () => this.#everyMs,
        this.#onError,
      );
    });
  }

  /** Gives whether others go on listening; without any nobody asks the store. */
  leave(listener: Listener): boolean {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return true;
    void this.#loop?.stop();
    this.#loop = null;
    return false;
  }

  /** Resolves when the store is asked no more. */
  async stop(): Promise<void> {
    await this.#loop?.stop();
    await this.#last;
  }

  async #look(): Promise<void> {
    const ids = await newestClickIds(this.#projectId, clock.now() - WINDOW_MS, LOOKED_AT);
    const known = new Set(this.#known ?? ids);
    const fresh = ids.filter((id) => !known.has(id)).reverse();
    if (this.#listeners.size > 0) await this.#tell([...this.#listeners], fresh);
    this.#known = ids;
  }

  /** `ids`: oldest first. */
  async #tell(listeners: Listener[], ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const clicks = await readClicks(this.#projectId, ids.slice(-SHOWN));
    for (const listener of listeners) listener.hear(clicks, ids.length - clicks.length);
  }

  /** One look at a time, or a click would be told twice. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => {});
    return mine;
  }
}
