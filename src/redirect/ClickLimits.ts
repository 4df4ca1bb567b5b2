import type { Click } from '../clicks/click.ts';
import type { LeftClicks } from './readLeftClicks.ts';
import { Turns } from './Turns.ts';

/** Clicks of people on a link that are in the store; 0 when it is gone. */
type Ask = (linkId: string) => Promise<number>;

/** The clicks of people on one link that the store had when it was asked last, and those stored by this process since. */
interface Stored {
  clicks: number;
}

/**
 * How many people have followed a link, exact within this process: what the store says, and what waits in the journal.
 * For links without a limit only the latter is kept, so that a limit set later counts them too.
 */
export class ClickLimits {
  readonly #ask: Ask;
  /** Clicks of people by link that this process, or one before it, wrote to the journal and has not stored yet. */
  readonly #waiting = new Map<string, number>();
  /** One for each link, shared by all its compiled versions, and for no longer than there is one. */
  readonly #stored = new Map<string, WeakRef<Stored>>();
  readonly #unused = new FinalizationRegistry<string>((linkId) => {
    if (this.#stored.get(linkId)?.deref() === undefined) this.#stored.delete(linkId);
  });
  /** Clicks of an earlier process that were both in the store and in the journal when this one started. */
  readonly #alreadyStored = new Set<string>();
  /** No click may move to the store between asking it for a link's clicks and taking note of the answer. */
  readonly #turns = new Turns();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** A person is about to be sent on. Call it in the same turn of the event loop in which the limit was looked at. */
  raise(linkId: string): void {
    this.#waiting.set(linkId, (this.#waiting.get(linkId) ?? 0) + 1);
  }

  /**
   * Makes `clicks` of a link that was compiled just now count along. Links without a limit stay as they are: nobody
   * asks for their clicks. Throws when the store cannot be asked.
   */
  async follow<Link extends { id: string; clickLimit: number | null; clicks: number }>(link: Link): Promise<Link> {
    const { id } = link;
    if (link.clickLimit === null) return link;
    const stored = await this.#turns.shared(() => this.#look(id));
    const waiting = this.#waiting;
    return Object.defineProperty(link, 'clicks', {
      enumerable: true,
      get: () => stored.clicks + (waiting.get(id) ?? 0),
    });
  }

  /** Runs `store`, which moves these clicks of the journal to the store. When it throws they wait as before. */
  storing<Result>(clicks: readonly Click[], store: () => Promise<Result>): Promise<Result> {
    return this.#turns.alone(async () => {
      const result = await store();
      for (const { id, linkId, trafficClass } of clicks) {
        if (trafficClass === 'human' && !this.#alreadyStored.delete(id)) this.#move(linkId);
      }
      return result;
    });
  }

  /** Counts what an earlier process left in the journal; meanwhile nothing is stored, and links with a limit wait. */
  countLeft(left: AsyncIterable<LeftClicks>): Promise<void> {
    return this.#turns.alone(async () => {
      for await (const { waiting, alreadyStored } of left) {
        for (const { linkId } of waiting) this.raise(linkId);
        for (const id of alreadyStored) this.#alreadyStored.add(id);
      }
    });
  }

  async #look(linkId: string): Promise<Stored> {
    const clicks = await this.#ask(linkId);
    const known = this.#stored.get(linkId)?.deref();
    const stored = known ?? { clicks: 0 };
    stored.clicks = clicks;
    if (known === undefined) {
      this.#stored.set(linkId, new WeakRef(stored));
      this.#unused.register(stored, linkId);
    }
    return stored;
  }

  #move(linkId: string): void {
    const stored = this.#stored.get(linkId)?.deref();
    if (stored) stored.clicks += 1;
    const waiting = (this.#waiting.get(linkId) ?? 0) - 1;
    if (waiting > 0) this.#waiting.set(linkId, waiting);
    else this.#waiting.delete(linkId);
  }
}
