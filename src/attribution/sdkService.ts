import { randomUUID } from 'node:crypto';
import type { KeyPrincipal, Principal } from '../access/principal.ts';
import { readRows } from '../db/rows.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { endOfChecks } from '../kernel/dryRun.ts';
import { CodedError, validationFailed } from '../kernel/errors.ts';
import { Link } from '../models/Link.ts';
import { type MatchFacts, matchOf } from '../models/match.ts';
import { attributeOpening } from './attributeOpening.ts';
import { checkToken, passes, RETURN_MS, readClickToken, tokenIn } from './clickTokens.ts';
import { attributionContext } from './context.ts';
import { linkOfUrl } from './linkOfUrl.ts';
import { type OpenInput, prepareOpening } from './prepareOpening.ts';
import { type EventCounts, type ReportedEvent, storeAppEvents } from './storeAppEvents.ts';

/** The answer to an app that reported an opening. */
interface OpenResponse {
  /** A UUID. */
  openId: string;
  match: ReturnType<typeof matchOf>;
  link: Link | null;
}

interface EventInput {
  id?: string | null;
  name?: string | null;
  occurredAt?: Date | null;
  value?: number | null;
  currency?: string | null;
  properties?: Record<string, unknown> | null;
}

/** The input of `recordAppEvents`, after the API has validated it: a list of events, or the fields of a single one. */
interface EventsInput extends EventInput {
  installId: string;
  events?: EventInput[] | null;
}

/** Offline devices keep events for days. A time further back than this comes from a wrong clock. */
const MAX_EVENT_AGE_MS = 30 * DAY_MS;

/**
 * Records that an app was opened. Returns the link that led there, if there was one. `address` is the client's IP address.
 * Throws `missing_key` without a publishable key.
 */
export async function recordOpen(principal: Principal, input: OpenInput, address: string): Promise<OpenResponse> {
  const app = requireApp(principal);
  const context = attributionContext();
  if (input.firstOpen) await context.flushClicks();
  const { openId, match, link } = await attributeOpening(await prepareOpening(app, input, address, context));
  return { openId, match: matchOf(match), link };
}

/** The answer when an opening is not recorded; `why` is its one factor. */
export function unmatchedOpen(why: string): OpenResponse {
  const facts: MatchFacts = { method: 'none', confidence: 0, factors: [{ name: why, points: 0 }], clickedAt: null };
  return { openId: randomUUID(), match: matchOf(facts), link: null };
}

/**
 * Records what happened in an app. `occurred_at` is limited to the last 30 days. Throws `missing_key` without a publishable
 * key, and `validation_failed` if the input has neither `events` nor the name of an event.
 */
export async function recordAppEvents(principal: Principal, input: EventsInput, address: string): Promise<EventCounts> {
  const { projectId } = requireApp(principal);
  checkEvents(input);
  endOfChecks();
  const atMs = clock.now();
  return storeAppEvents({
    projectId,
    installId: input.installId.toLowerCase(),
    atMs,
    place: attributionContext().placeOf(address),
    events: (input.events ?? [input]).map((event) => reportedEvent(event, atMs)),
  });
}

/** The rule that spans several fields; the API validates each field. Throws `validation_failed`. */
function checkEvents({ events, name }: EventsInput): void {
  if (events || name) return;
  throw validationFailed([{ path: 'name', message: 'Is required where there are no events.' }]);
}

/** The link of a URL that opened an app; null if it leads nowhere now. Counts no click. Throws `missing_key`. */
export async function resolveUrl(principal: Principal, url: string): Promise<{ link: Link | null }> {
  const { projectId } = requireApp(principal);
  return { link: (await linkOfToken(projectId, url)) ?? (await linkOfUrl(projectId, url)) };
}

/** Throws `missing_key` for every principal except an app with a publishable key. */
function requireApp(principal: Principal): KeyPrincipal {
  if (principal.kind === 'key' && principal.keyKind === 'publishable') return principal;
  throw new CodedError('missing_key', 'This is for apps: it needs a publishable key (pk_live_…).');
}

function reportedEvent(event: EventInput, atMs: number): ReportedEvent {
  const { id, name, occurredAt, value, currency, properties } = event;
  const reportedMs = occurredAt?.getTime() ?? atMs;
  return {
    id: id ?? null,
    name: name as string,
    occurredAt: Math.min(atMs, Math.max(atMs - MAX_EVENT_AGE_MS, reportedMs)),
    value: value ?? null,
    currency: currency?.toUpperCase() ?? null,
    properties: properties ?? null,
  };
}

/**
 * A click token proves that its visitor was let through at that time: the password was given, and the link was active. It says
 * nothing of a link that was stopped or got another password since. One that has ended, as by the visitor's own click, may be
 * returned to for a while.
 */
async function linkOfToken(projectId: string, url: string): Promise<Link | null> {
  const token = tokenIn(url);
  if (token === null) return null;
  const nowMs = clock.now();
  const context = { projectId, installBeginAt: null, referrerClickAt: null };
  const check = checkToken(readClickToken(token, nowMs), context);
  if (!check.ok) return null;
  const [link] = await readRows(Link, 'id = $1 AND project_id = $2', [check.linkId, projectId]);
  if (!link || !passes(check, link.passwordHash)) return null;
  const isOpen = link.status === 'active' || (link.status === 'expired' && nowMs - check.clickedAt < RETURN_MS);
  return isOpen ? link : null;
}
