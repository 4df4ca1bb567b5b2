import type { Place } from '../geo/geoip.ts';
import type { Link } from '../models/Link.ts';
import type { MatchFacts } from '../models/match.ts';
import type { TokenCheck, TokenSource } from './clickTokens.ts';
import type { ClickComparison } from './decide/compareClicks.ts';
import type { DeviceFacts } from './decide/compareDevices.ts';

/** A token that an app presented, checked as far as that is possible without the store. */
export interface PresentedToken {
  source: TokenSource;
  check: TokenCheck;
}

/**
 * The opening of an app, with everything that is known before the store is asked about clicks. It never holds the address
 * itself.
 */
export interface Opening {
  projectId: string;
  teamId: string;
  /** The UUID that the SDK generated, in lower case. */
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
  /** Why many people share the addresses of the network; null if nothing says that they do. */
  sharedNetwork: string | null;
  /** The link of the URL that opened the app, if it leads somewhere now. */
  urlLink: Link | null;
  /** The most reliable source first. */
  tokens: PresentedToken[];
  /** Whether the user allows comparing the device with clicks. */
  consent: boolean;
}

/** Where an opening came from. */
export interface Attribution extends MatchFacts {
  link: Link | null;
  clickId: string | null;
  /** The clicks that this match uses up: the click itself, and others by the same visitor. */
  usedClicks: string[];
  /** The opening is itself a click that no redirect has counted. */
  isClick: boolean;
  comparison: ClickComparison | null;
}

/** What an opening was answered, whether now or when it first arrived. */
export interface OpeningAnswer {
  /** A UUID. */
  openId: string;
  match: MatchFacts;
  link: Link | null;
}

/** The key of an install in maps and locks. */
export function installKey({ projectId, installId }: { projectId: string; installId: string }): string {
  return `${projectId} ${installId}`;
}
