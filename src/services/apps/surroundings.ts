import type { VisitorKeys } from '../../clicks/visitorKeys.ts';
import type { NetworkOf } from '../../matching/networks.ts';
import type { PlaceOf } from '../../redirect/places.ts';

/** What the process knows of addresses, and how its latest clicks get into the store. */
export interface Surroundings {
  keys: Pick<VisitorKeys, 'hashes' | 'addressHashes' | 'renewal'>;
  placeOf: PlaceOf;
  networkOf: NetworkOf;
  /** Moves clicks that this process has written down to the store: an app may be opened a moment after its click. */
  flushClicks: () => Promise<unknown>;
}

let current: Surroundings | null = null;

/** Called at the start, before anything is answered. */
export function useSurroundings(given: Surroundings): void {
  current = given;
}

export function surroundings(): Surroundings {
  if (!current) throw new Error('useSurroundings() has not run');
  return current;
}
