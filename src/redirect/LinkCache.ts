import { LRUCache } from 'lru-cache';
import { signals } from '../kernel/signals.ts';
import type { RedirectLink } from './loadLink.ts';

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

interface Entry {
  found: Found;
  /** Milliseconds of the monotonic clock. */
  freshUntil: number;
}

/**
 * Links by address, in memory and bounded; unknown addresses too. A link that was found goes on being answered while
 * the store is down, however old; an address that was not found is asked for anew then, so that an outage is never
 * told as 404.
 */
export class LinkCache {
  readonly #entries: LRUCache<string, Entry>;
  readonly #loading = new Map<string, { promise: Promise<Found>; isOutdated: boolean }>();
  readonly #unsubscribe: (() => void)[];

  constructor(
    private readonly load: Load,
    private readonly hears: () => boolean,
    maxEntries: number,
  ) {
    this.#entries = new LRUCache({ max: maxEntries });
    this.#unsubscribe = [
      signals.on('link', (address) => this.forget(address)),
      signals.on('project', (id) => this.#forgetProject(id)),
      signals.onMissed(() => this.#doubt()),
    ];
  }

  /** What is remembered and still sure; undefined when the store must be asked by `find`. */
  peek(domain: string, slug: string): Found | undefined {
    const entry = this.#entries.get(`${domain}/${slug}`);
    return entry && performance.now() < entry.freshUntil ? entry.found : undefined;
  }

  /** The link at that address. Throws when the store is down and memory does not know it. */
  async find(domain: string, slug: string): Promise<Found> {
    const sure = this.peek(domain, slug);
    if (sure !== undefined) return sure;
    const address = `${domain}/${slug}`;
    try {
      return await this.#loadOnce(address, domain, slug);
    } catch (error) {
      const remembered = this.#entries.get(address);
      if (remembered?.found) return remembered.found;
      throw error;
    }
  }

  /** The link at `domain/slug` has changed. */
  forget(address: string): void {
    this.#entries.delete(address);
    const loading = this.#loading.get(address);
    if (loading) loading.isOutdated = true;
    this.#loading.delete(address);
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  /** Its apps have changed. That is rare, so all entries are looked through. */
  #forgetProject(id: string): void {
    for (const loading of this.#loading.values()) loading.isOutdated = true;
    for (const [address, { found }] of this.#entries) if (found?.projectId === id) this.#entries.delete(address);
  }

  /** A crowd that asks for one link at once makes one question; an answer that was overtaken by a change is not kept. */
  #loadOnce(address: string, domain: string, slug: string): Promise<Found> {
    const running = this.#loading.get(address);
    if (running) return running.promise;
    const loading = { promise: this.load(domain, slug), isOutdated: false };
    this.#loading.set(address, loading);
    loading.promise.then(
      (found) => {
        if (!loading.isOutdated)
          this.#entries.set(address, { found, freshUntil: performance.now() + this.#ttl(found) });
        if (this.#loading.get(address) === loading) this.#loading.delete(address);
      },
      () => {
        if (this.#loading.get(address) === loading) this.#loading.delete(address);
      },
    );
    return loading.promise;
  }

  #ttl(found: Found): number {
    if (!this.hears()) return UNSURE_TTL_MS;
    return found === null || found.clickLimit === null ? TTL_MS : LIMITED_TTL_MS;
  }

  /** Announcements may have been lost: unknown addresses are forgotten, links are asked for again when next needed. */
  #doubt(): void {
    for (const loading of this.#loading.values()) loading.isOutdated = true;
    for (const [address, entry] of this.#entries) {
      if (entry.found === null) this.#entries.delete(address);
      else entry.freshUntil = 0;
    }
  }
}
