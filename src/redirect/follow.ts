import type { Place, PlaceOf } from '../geo/geoip.ts';
import { clock } from '../kernel/clock.ts';
import { newClickId } from '../kernel/ids.ts';
import { clientAddress } from '../kernel/incomingRequest.ts';
import { redirectCounts } from '../kernel/metrics.ts';
import type { Redirect } from '../routing/compiledLink.ts';
import { decide } from '../routing/decide.ts';
import { parseVisitor, type Visitor } from '../routing/visitor.ts';
import {
  answerExpired,
  answerPage,
  answerRedirect,
  answerUnavailable,
  answerUnknown,
  type Exchange,
} from './answer.ts';
import { appLocation, claimReturn, hasAppToken, returningClick } from './appLocation.ts';
import { askPassword, hasEnteredPassword } from './askPassword.ts';
import type { PathMatch } from './findByPath.ts';
import type { RedirectLink } from './loadLink.ts';
import { answerSocialPreview } from './previews.ts';

/** A click to record; see recordClick. */
export interface FollowedLink {
  /** `clk_` id. */
  id: string;
  link: RedirectLink;
  visitor: Visitor;
  outcome: Redirect;
  place: Place;
  addressHash: string;
  /** Keyed hash of address and agent. */
  visitorHash: string;
  atMs: number;
}

export interface FollowParts {
  placeOf: PlaceOf;
  hashes: (address: string, agent: string, nowMs: number) => { addressHash: string; visitor: string };
  /** Wait for this before hashing if the day's key is not there yet; null if it is. Never rejects. */
  renewal: (nowMs: number) => Promise<void> | null;
  /** Wait for this before a link with a limit is decided, and ask again; see `ClickShares`. */
  admit: (link: RedirectLink, isPerson: boolean, sinceMs: number) => Promise<void> | null;
  /** Resolves when the click is on disk, or was dropped with a warning. Never rejects. */
  record: (followed: FollowedLink) => Promise<unknown>;
  /** Records a request for an unknown slug. */
  recordOrphan: (exchange: Exchange, visitor: Visitor, place: Place, visitorHash: string) => void;
}

/** The visitor, their address and place, and the time. */
interface Arrival {
  visitor: Visitor;
  address: string;
  place: Place;
  atMs: number;
  /** The limit of the link is used up, but this visitor's own click was one of those counted. */
  isLifted: boolean;
}

/** A link, and the path after its slug. */
interface Followable {
  link: RedirectLink;
  rest: string;
}

/** Answers a request for the link found, if any: status, rules, password, preview, app, destination. */
export function follow(parts: FollowParts, exchange: Exchange, found: PathMatch): void {
  const renewal = parts.renewal(clock.now());
  if (renewal === null) followNow(parts, exchange, found);
  else void renewal.then(() => followNow(parts, exchange, found));
}

function followNow(parts: FollowParts, exchange: Exchange, { link, rest }: PathMatch): void {
  const arrival = arrivalOf(parts, exchange);
  if (link === null) {
    parts.recordOrphan(exchange, arrival.visitor, arrival.place, hashesOf(parts, exchange, arrival).visitor);
    answerUnknown(exchange);
    return;
  }
  whenAdmitted(parts, exchange, link, arrival, () => followKnown(parts, exchange, { link, rest }, arrival));
}

/** Goes on when it is known whether the limit of the link is used up, in the same turn of the event loop. */
function whenAdmitted(
  parts: FollowParts,
  exchange: Exchange,
  link: RedirectLink,
  arrival: Arrival,
  goOn: () => void,
  sinceMs = performance.now(),
): void {
  const wait = parts.admit(link, arrival.visitor.trafficClass === 'human', sinceMs);
  if (wait === null) goOn();
  else
    void wait
      .then(() => whenAdmitted(parts, exchange, link, arrival, goOn, sinceMs))
      .catch((error) => answerUnavailable(exchange, error));
}

function followKnown(parts: FollowParts, exchange: Exchange, { link, rest }: Followable, arrival: Arrival): void {
  const clickId =
    link.clickLimit !== null && link.clicks >= link.clickLimit ? returningClick(exchange, link, arrival) : null;
  if (clickId === null) {
    followLink(parts, exchange, { link, rest }, arrival);
    return;
  }
  void claimReturn(clickId, arrival.atMs).then((mayReturn) => {
    if (mayReturn)
      followLink(parts, exchange, { link: { ...link, clickLimit: null }, rest }, { ...arrival, isLifted: true });
    else whenAdmitted(parts, exchange, link, arrival, () => followLink(parts, exchange, { link, rest }, arrival));
  });
}

function followLink(parts: FollowParts, exchange: Exchange, { link, rest }: Followable, arrival: Arrival): void {
  const outcome = outcomeFor(exchange, link, rest, arrival);
  if (outcome === null) return;
  if (link.passwordHash === null || hasEnteredPassword(exchange, link)) {
    redirectVisitor(parts, exchange, { link, rest }, arrival, outcome);
    return;
  }
  void askPassword(exchange, link, arrival.address).then((cookie) => {
    if (cookie === null) return;
    // The link may have expired while the password was checked.
    whenAdmitted(parts, exchange, link, arrival, () => {
      const later = outcomeFor(exchange, link, rest, { ...arrival, atMs: clock.now() });
      if (later)
        redirectVisitor(parts, exchange, { link, rest }, arrival, later, {
          status: 303,
          headers: ['Set-Cookie', cookie],
        });
    });
  });
}

/** Where the link sends this visitor; null if nowhere, in which case the response has been sent. */
function outcomeFor(exchange: Exchange, link: RedirectLink, rest: string, arrival: Arrival): Redirect | null {
  const { visitor, address, place, atMs } = arrival;
  const request = { query: exchange.query, country: place.country, addressKey: address, path: rest };
  const outcome = decide(link, visitor, atMs, request);
  if (outcome.kind === 'redirect') return outcome;
  if (outcome.kind === 'expired') answerExpired(exchange, outcome.destination);
  else if (outcome.kind === 'flagged') answerPage(exchange, 'flagged');
  else answerUnknown(exchange);
  return null;
}

/** Records the click, then redirects the visitor. */
function redirectVisitor(
  parts: FollowParts,
  exchange: Exchange,
  { link, rest }: Followable,
  arrival: Arrival,
  outcome: Redirect,
  after: { status: number; headers: string[] } = { status: 302, headers: [] },
): void {
  const { visitor, place, atMs } = arrival;
  const id = newClickId();
  const isShown = visitor.isPreviewFetcher && link.preview !== null;
  const location = appLocation(exchange, { link, rest }, visitor, outcome, { id, atMs }) ?? outcome.destination;
  // A visitor who returns from the app page has been counted already; at the limit, only a recent return is let through.
  const isReturn =
    link.clickLimit === null ? hasAppToken(exchange, link, atMs) : returningClick(exchange, link, arrival);
  if (isReturn && !arrival.isLifted) {
    answerRedirect(exchange, location, after.headers, after.status);
    return;
  }
  const { addressHash, visitor: visitorHash } = hashesOf(parts, exchange, arrival);
  void parts.record({ id, link, visitor, outcome, place, addressHash, visitorHash, atMs }).then(() => {
    redirectCounts.followed += 1;
    if (isShown) answerSocialPreview(exchange, link);
    else answerRedirect(exchange, location, after.headers, after.status);
  });
}

function arrivalOf(parts: FollowParts, { request }: Exchange): Arrival {
  const { headers } = request;
  const address = clientAddress(request);
  const place = parts.placeOf(address);
  const visitor = parseVisitor(
    {
      userAgent: headers['user-agent'],
      acceptLanguage: headers['accept-language'],
      referer: headers.referer,
      secPurpose: headers['sec-purpose'] as string | undefined,
      purpose: headers.purpose as string | undefined,
      xPurpose: headers['x-purpose'] as string | undefined,
      xMoz: headers['x-moz'] as string | undefined,
    },
    request.method as string,
    place.isScanner,
  );
  return { visitor, address, place, atMs: clock.now(), isLifted: false };
}

function hashesOf(parts: FollowParts, { request }: Exchange, { address, atMs }: Arrival) {
  return parts.hashes(address, request.headers['user-agent'] ?? '', atMs);
}
