import { LRUCache } from 'lru-cache';
import { targetProblem } from './target.ts';

const MAX_REMEMBERED = 2000;

/** A target as a request needs it. */
export interface Destination {
  origin: string;
  /** With the query. */
  path: string;
  /** Why no request may go there, as far as the URL tells. */
  problem: string | null;
}

/** Destinations by URL. Deliveries go to the same few URLs again and again; taking one apart costs more than finding it. */
export class Destinations {
  readonly #allowed = { private: remembering(true), public: remembering(false) };

  of(url: string, { allowPrivate }: { allowPrivate: boolean }): Destination {
    return this.#allowed[allowPrivate ? 'private' : 'public'](url);
  }
}

function remembering(allowPrivate: boolean): (url: string) => Destination {
  const known = new LRUCache<string, Destination>({ max: MAX_REMEMBERED });
  return (url) => {
    const remembered = known.get(url);
    if (remembered) return remembered;
    const destination = parse(url, allowPrivate);
    known.set(url, destination);
    return destination;
  };
}

function parse(url: string, allowPrivate: boolean): Destination {
  const problem = targetProblem(url, { allowPrivate, ownHosts: [] });
  if (problem) return { origin: '', path: '', problem };
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}`, problem };
}
