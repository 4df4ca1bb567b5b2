import { newClickId } from '../clicks/newClickId.ts';
import { clock } from '../kernel/clock.ts';
import { redirectCounts } from '../kernel/metrics.ts';
import { clientAddress } from '../kernel/requestFacts.ts';
import { decide } from '../routing/decide.ts';
import type { Redirect } from '../routing/outcome.ts';
import { parseVisitor, type Visitor } from '../routing/visitor.ts';
import { answerExpired, answerPage, answerRedirect, answerUnknown } from './answer.ts';
import { appLocation, hasAppToken, isUnusedClick, returningClick } from './appOpening.ts';
import type { Exchange } from './Exchange.ts';
import type { FoundByPath } from './findByPath.ts';
import type { RedirectLink } from './loadLink.ts';
import { askPassword, hasPassed } from './password.ts';
import type { Place, PlaceOf } from './places.ts';
import { answerSocialPreview } from './socialPreview.ts';

/** What a followed link leaves behind; see recordClick. */
export interface Followed {
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
  /** Before hashes of a day whose key is not there yet; null: it is. Never rejects. */
  renewal: (nowMs: number) => Promise<void> | null;
  /** Resolves when the click is on disk, or was dropped loudly. Never rejects. */
  record: (followed: Followed) => Promise<unknown>;
  /** An unknown slug was asked for. */
  noteOrphan: (exchange: Exchange, visitor: Visitor, place: Place, visitorHash: string) => void;
}

/** Who asks, from where, when. */
interface Arrival {
  visitor: Visitor;
  address: string;
  place: Place;
  atMs: number;
  /** The link has had all the clicks of its limit, of which this visitor's was one. */
  isLifted: boolean;
}

/** A link that was found, and what stood behind its slug. */
interface Followable {
  link: RedirectLink;
  rest: string;
}

/** Answers for the link that was found, in the order of api.md §4. */
export function follow(parts: FollowParts, exchange: Exchange, found: FoundByPath): void {
  const renewal = parts.renewal(clock.now());
  if (renewal === null) followNow(parts, exchange, found);
  else void renewal.then(() => followNow(parts, exchange, found));
}

function followNow(parts: FollowParts, exchange: Exchange, { link, rest }: FoundByPath): void {
  const arrival = arrivalOf(parts, exchange);
  if (link === null) {
    parts.noteOrphan(exchange, arrival.visitor, arrival.place, hashesOf(parts, exchange, arrival).visitor);
    answerUnknown(exchange);
    return;
  }
  const clickId =
    link.clickLimit !== null && link.clicks >= link.clickLimit ? returningClick(exchange, link, arrival) : null;
  if (clickId === null) {
    goOn(parts, exchange, { link, rest }, arrival);
    return;
  }
  void isUnusedClick(clickId).then((isUnused) => {
    if (isUnused) goOn(parts, exchange, { link: { ...link, clickLimit: null }, rest }, { ...arrival, isLifted: true });
    else goOn(parts, exchange, { link, rest }, arrival);
  });
}

function goOn(parts: FollowParts, exchange: Exchange, { link, rest }: Followable, arrival: Arrival): void {
  const outcome = outcomeFor(exchange, link, rest, arrival);
  if (outcome === null) return;
  if (link.passwordHash === null || hasPassed(exchange, link)) {
    lead(parts, exchange, link, arrival, outcome);
    return;
  }
  void askPassword(exchange, link, arrival.address).then((cookie) => {
    if (cookie === null) return;
    // The link may have run out while the password was looked at.
    const later = outcomeFor(exchange, link, rest, { ...arrival, atMs: clock.now() });
    if (later) lead(parts, exchange, link, arrival, later, { status: 303, headers: ['Set-Cookie', cookie] });
  });
}

/** Where the link leads this visitor; null when it leads nowhere, which has been answered then. */
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

/** Records the click and sends the visitor on. */
function lead(
  parts: FollowParts,
  exchange: Exchange,
  link: RedirectLink,
  arrival: Arrival,
  outcome: Redirect,
  after: { status: number; headers: string[] } = { status: 302, headers: [] },
): void {
  const { visitor, place, atMs } = arrival;
  const id = newClickId();
  const isShown = visitor.isPreviewFetcher && link.preview !== null;
  const location = appLocation(exchange, link, visitor, outcome, { id, atMs }) ?? outcome.destination;
  // Who comes back from the page that leads to the app has been counted; beyond the limit nobody passes uncounted.
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
