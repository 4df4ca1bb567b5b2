import type { DeviceFacts } from '../matching/deviceFacts.ts';
import type { Judged, TokenSource } from '../matching/tokenGuards.ts';
import type { Link } from '../models/Link.ts';
import type { Place } from '../redirect/places.ts';

/** A token that an app brought, and what it is worth as far as it tells itself. */
export interface BroughtToken {
  source: TokenSource;
  judged: Judged;
}

/** An app that was opened, with all that is known before the store is asked who else was there. Never the address. */
export interface Opening {
  projectId: string;
  teamId: string;
  /** The UUID that the SDK made, in lower case. */
  installId: string;
  isFirst: boolean;
  atMs: number;
  device: DeviceFacts;
  appVersion: string | null;
  place: Place;
  /** Keyed hashes of the address by UTC day, today's first: see visitorKeys. */
  addressHashes: ReadonlyMap<number, string>;
  addressHash: string;
  visitor: string;
  /** Why the network's addresses are shared by many; null: nothing says so. */
  sharedNetwork: string | null;
  /** The link of the URL that opened the app, if it leads somewhere now. */
  urlLink: Link | null;
  /** The surest first. */
  tokens: BroughtToken[];
  /** Why clicks are not to be compared with the device, whatever they are; null: they may be. */
  comparingIsOff: string | null;
  /** Of the project; links may have their own. */
  windowMs: number;
}
