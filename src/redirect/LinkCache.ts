import { signals } from '../kernel/signals.ts';
import type { RedirectLink } from './loadLink.ts';
import { StoreCache } from './StoreCache.ts';

/** A cached result; null: no link has this address. */
export type CachedLink = RedirectLink | null;

/** Loads a link from the store; throws if the store is down. */
export type Load = (domain: string, slug: string) => Promise<CachedLink>;

/**
 * How long a link is fresh. Announcements invalidate changed links at once, so this only limits the damage of a lost one.
 * One minute was too short: with 100,000 links in use, the process did nothing but reload them.
 */
const TTL_MS = 900_000;

/** How long a link is fresh while announcements of other processes do not arrive. */
const UNSURE_TTL_MS = 500;

/**
 * How long a link with a click limit is fresh where this process counts its clicks: opened apps and found bursts change the
 * count too. Shares of a limit come from the store as it is.
 */
const LIMITED_TTL_MS = 2000;

/** Links and unknown addresses in bounded memory. See `StoreCache` for what happens while the store is down. */
export class LinkCache {
  readonly #links: StoreCache<RedirectLink>;
  readonly #unsubscribe: (() => void)[];
  /** Lookups since the start that memory answered, and those that asked the store. */
  hits = 0;
  misses = 0;

  constructor(
    load: Load,
    private readonly hears: () => boolean,
    private readonly options: { maxEntries: number; hasShares: boolean },
  ) {
    this.#links = new StoreCache({
      max: options.maxEntries,
      load: (address) => {
        const slash = address.indexOf('/');
        return load(address.slice(0, slash), address.slice(slash + 1));
      },
      ttlMs: (found) => this.#ttlMs(found),
    });
    this.#unsubscribe = [
      signals.on('link', (address) => this.#links.invalidate(address)),
      // It may be deleted or restored, or its apps have changed. That is rare enough to scan all entries.
      signals.on('project', (id) => this.#links.invalidateWhere(({ projectId }) => projectId === id)),
      signals.onMissed(() => this.#links.expireAll()),
    ];
  }

  /** The cached result if it is fresh; undefined if the store must be queried by `find`. */
  peek(domain: string, slug: string): CachedLink | undefined {
    const found = this.#links.peek(`${domain}/${slug}`);
    if (found !== undefined) this.hits += 1;
    return found;
  }

  /** The link at this address. Throws if it is not cached and the store is down. */
  find(domain: string, slug: string): Promise<CachedLink> {
    this.misses += 1;
    return this.#links.find(`${domain}/${slug}`);
  }

  /** Takes over a link of a snapshot. */
  remember(link: RedirectLink): void {
    this.#links.remember(`${link.domain}/${link.slug}`, link);
  }

  /** The ids of the links in memory, the last followed ones first. */
  ids(): string[] {
    return [...this.#links.values()].map(({ id }) => id);
  }

  /** Number of links in memory. */
  get size(): number {
    return this.#links.size;
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #ttlMs(found: CachedLink): number {
    if (!this.hears()) return UNSURE_TTL_MS;
    return found === null || found.clickLimit === null || this.options.hasShares ? TTL_MS : LIMITED_TTL_MS;
  }
}
