import { clickStore } from '../clicks/chosenStore.ts';
import type { Click } from '../clicks/click.ts';
import { decoded } from '../clicks/moveSegment.ts';
import { ReadWriteLock } from '../kernel/concurrency.ts';
import { log } from '../kernel/log.ts';

/** Loads how many clicks of people on a link are in the store; 0 if the link is gone. */
type CountStored = (linkId: string) => Promise<number>;

/** A compiled link, of which people's clicks count against its limit. */
export type LimitedLink = { id: string; clickLimit: number | null; clicks: number };

/** Stored clicks of people on one link: those in the store when last asked, and those this process has stored since. */
interface Stored {
  clicks: number;
}

/**
 * Counts the clicks of people on links, exactly within this process: those in the store plus those waiting in the
 * journal. For links without a limit, only the latter are counted, so that a limit set later includes them.
 */
export class ClickLimits {
  readonly #countStored: CountStored;
  /** Link → clicks of people that this process or an earlier one wrote to the journal and that are not stored yet. */
  readonly #waiting = new Map<string, number>();
  /** One entry for each link, shared by all its compiled versions and released with the last of them. */
  readonly #stored = new Map<string, WeakRef<Stored>>();
  readonly #unused = new FinalizationRegistry<string>((linkId) => {
    if (this.#stored.get(linkId)?.deref() === undefined) this.#stored.delete(linkId);
  });
  /** Clicks of an earlier process that were in both the store and the journal when this process started. */
  readonly #alreadyStored = new Set<string>();
  /** No click may move to the store between counting a link's stored clicks and keeping the result. */
  readonly #lock = new ReadWriteLock();

  constructor(countStored: CountStored) {
    this.#countStored = countStored;
  }

  /**
   * Counts a person who is about to be redirected, within the limit or beyond it. Call it in the turn of the event loop that
   * checked the limit.
   */
  countPerson(linkId: string, _isLimited = false): void {
    this.#waiting.set(linkId, (this.#waiting.get(linkId) ?? 0) + 1);
  }

  /**
   * Turns `clicks` of a newly compiled link into a live count. Links without a limit stay as they are, because their
   * clicks are not used. Throws if the store is down.
   */
  async track<Link extends LimitedLink>(link: Link): Promise<Link> {
    const { id } = link;
    if (link.clickLimit === null) return link;
    const stored = await this.#lock.read(() => this.#loadStored(id));
    const waiting = this.#waiting;
    return Object.defineProperty(link, 'clicks', {
      enumerable: true,
      get: () => stored.clicks + (waiting.get(id) ?? 0),
    });
  }

  /** The same without asking the store, for a link of a snapshot: its clicks are those of that time and those waiting. */
  trackRemembered<Link extends LimitedLink>(link: Link): Link {
    if (link.clickLimit === null) return link;
    const [{ id, clicks }, waiting] = [link, this.#waiting];
    return Object.defineProperty(link, 'clicks', {
      enumerable: true,
      get: () => clicks + (waiting.get(id) ?? 0),
    });
  }

  /** Null: whether the limit is used up is known. See `ClickShares`, where it may have to be asked. */
  admit(_link: LimitedLink, _isPerson: boolean, _sinceMs: number): Promise<void> | null {
    return null;
  }

  /** Clicks of people that this process has not stored yet. */
  protected waitingOf(linkId: string): number {
    return this.#waiting.get(linkId) ?? 0;
  }

  /** Runs work while no click moves to the store. */
  protected whileNothingMoves<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#lock.read(work);
  }

  async stop(): Promise<void> {}

  /** Runs `store`, which moves these clicks from the journal to the store. If it throws, they keep waiting. */
  whileStoring<Result>(clicks: readonly Click[], store: () => Promise<Result>): Promise<Result> {
    return this.#lock.write(async () => {
      const result = await store();
      for (const { id, linkId, trafficClass } of clicks) {
        if (trafficClass === 'human' && !this.#alreadyStored.delete(id)) this.#move(linkId);
      }
      return result;
    });
  }

  /** Counts the clicks that an earlier process left in the journal. Storing, and links with a limit, wait for it. */
  countLeftovers(left: AsyncIterable<LeftoverClicks>): Promise<void> {
    return this.#lock.write(async () => {
      for await (const { waiting, alreadyStored } of left) {
        for (const { linkId } of waiting) this.countPerson(linkId);
        for (const id of alreadyStored) this.#alreadyStored.add(id);
      }
    });
  }

  async #loadStored(linkId: string): Promise<Stored> {
    const clicks = await this.#countStored(linkId);
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

/** Clicks that an earlier process left in the journal. */
export interface LeftoverClicks {
  waiting: Click[];
  /** Ids of clicks that are in the store too: the process ended before it could remove their segment. */
  alreadyStored: string[];
}

/** Reads segments of the journal in pieces. Skips what cannot be read, which the drain reports. */
export async function* readLeftoverClicks(
  journal: { read(segment: string): AsyncIterable<string[]> },
  segments: readonly string[],
): AsyncGenerator<LeftoverClicks, void, void> {
  for (const segment of segments) {
    try {
      yield* readSegment(journal.read(segment));
    } catch (error) {
      log.warn({ err: error, segment }, 'clicks of an earlier process do not count against the limits of links yet');
    }
  }
}

/** A segment is stored from its start, so after a piece without stored clicks no later one has any. */
async function* readSegment(pieces: AsyncIterable<string[]>): AsyncGenerator<LeftoverClicks, void, void> {
  let mayBeStored = true;
  let end = 0;
  let first: string | undefined;
  for await (const lines of pieces) {
    const { clicks, numbers } = await decoded(lines, end);
    end += lines.length;
    first ??= clicks[0]?.id;
    const place = { segment: first ?? '', lines: numbers, end };
    const stored: Set<string> = mayBeStored ? await clickStore().storedAmong(clicks, place) : new Set<string>();
    mayBeStored &&= clicks.length === 0 || stored.size > 0;
    const people = clicks.filter(({ trafficClass }) => trafficClass === 'human');
    yield {
      waiting: people.filter(({ id }) => !stored.has(id)),
      alreadyStored: people.flatMap(({ id }) => (stored.has(id) ? [id] : [])),
    };
  }
}
