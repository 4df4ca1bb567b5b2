import { signals } from '../kernel/signals.ts';
import type { RedirectLink } from './loadLink.ts';
import { Remembered } from './Remembered.ts';

/** `null`: nobody uses this address. */
export type Found = RedirectLink | null;

/** How a link is found in the store; throws when the store can't be asked. */
export type Load = (domain: string, slug: string) => Promise<Found>;

/**
 * Remembered so long without a word from the store; announcements make it right sooner. Each link is asked for again so
 * often, which with 100,000 links in use and a minute was all that a process did.
 */
const TTL_MS = 900_000;

/** While announcements of other processes don't arrive, what is remembered is asked for again this soon. */
const UNSURE_TTL_MS = 500;

/** A link with a click limit is asked for again this soon: other processes count people on it too. */
const LIMITED_TTL_MS = 2000;

/** Links by address, in memory and bounded; unknown addresses too. See `Remembered` for what a store that is away does. */
export class LinkCache {
  readonly #links: Remembered<RedirectLink>;
  readonly #unsubscribe: (() => void)[];

  constructor(
    load: Load,
    private readonly hears: () => boolean,
    maxEntries: number,
  ) {
    this.#links = new Remembered({
      max: maxEntries,
      load: (address) => {
        const slash = address.indexOf('/');
        return load(address.slice(0, slash), address.slice(slash + 1));
      },
      ttlMs: (found) => this.#ttlMs(found),
    });
    this.#unsubscribe = [
      signals.on('link', (address) => this.#links.forget(address)),
      // Its apps have changed. That is rare, so all entries are looked through.
      signals.on('project', (id) => this.#links.forgetWhere(({ projectId }) => projectId === id)),
      signals.onMissed(() => this.#links.doubt()),
    ];
  }

  /** What is remembered and still sure; undefined when the store must be asked by `find`. */
  peek(domain: string, slug: string): Found | undefined {
    return this.#links.peek(`${domain}/${slug}`);
  }

  /** The link at that address. Throws when the store is away and memory does not know it. */
  find(domain: string, slug: string): Promise<Found> {
    return this.#links.find(`${domain}/${slug}`);
  }

  /** Links in memory. */
  get size(): number {
    return this.#links.size;
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #ttlMs(found: Found): number {
    if (!this.hears()) return UNSURE_TTL_MS;
    return found === null || found.clickLimit === null ? TTL_MS : LIMITED_TTL_MS;
  }
}
