import type { MatchFacts } from '../events/presentMatch.ts';
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
  /** The person does not mind that the device is compared with clicks. */
  consent: boolean;
}

/** What was written down of an opening, or had been before. */
export interface RecordedOpening {
  /** A UUID. */
  openId: string;
  match: MatchFacts;
  link: Link | null;
}

/** Names an install among all. */
export function installKey({ projectId, installId }: { projectId: string; installId: string }): string {
  return `${projectId} ${installId}`;
}
