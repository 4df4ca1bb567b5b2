import type { VisitorKeys } from '../clicks/visitorKeys.ts';
import { givenToStore } from '../db/ofStore.ts';
import type { PlaceOf } from '../geo/geoip.ts';
import type { NetworkOf } from '../geo/networks.ts';

/** What attribution needs from the process: how to look addresses up, and how to store its latest clicks. */
export interface AttributionContext {
  keys: Pick<VisitorKeys, 'hashes' | 'addressHashes' | 'renewal'>;
  placeOf: PlaceOf;
  networkOf: NetworkOf;
  /** Moves the clicks in this process's journal to the store: an app may be opened a moment after its click. */
  flushClicks: () => Promise<unknown>;
}

const context = givenToStore<AttributionContext>('setAttributionContext');

/** Must run at start-up, before any request is answered. */
export const setAttributionContext = context.give;

/** The context of this process. Throws if it was not set. */
export const attributionContext = context.get;
