import { addPoints } from '../access/counters.ts';
import {
  type ClickToken,
  clickedAtOf,
  issueClickToken,
  RETURN_MS,
  readClickToken,
} from '../attribution/clickTokens.ts';
import { appTarget } from '../routing/appTarget.ts';
import { TOKEN_PARAMETER } from '../routing/appUrls.ts';
import type { Redirect } from '../routing/compiledLink.ts';
import { forwardedBy } from '../routing/decide.ts';
import { parseParameters, withoutParameter } from '../routing/urlEncoding.ts';
import type { Visitor } from '../routing/visitor.ts';
import type { Exchange } from './answer.ts';
import { appPageUrl, type Brought } from './appPage/pageAddress.ts';
import { queryForRedirects, type RedirectLink } from './loadLink.ts';

/** Where a link that opens apps sends this visitor; null: to the web destination. `rest`: the path after the slug. */
export function appLocation(
  exchange: Exchange,
  { link, rest }: { link: RedirectLink; rest: string },
  visitor: Visitor,
  outcome: Redirect,
  click: { id: string; atMs: number },
): string | null {
  const { routing, apps } = link;
  if (routing.apps === null) return null;
  const brought = tokenOf(exchange, link, click.atMs);
  const claims = {
    clickId: click.id,
    projectId: link.projectId,
    linkId: link.id,
    passwordHash: link.passwordHash,
  };
  const token = brought ?? issueClickToken(claims, click.atMs);
  const { location } = appTarget({
    visitor,
    apps,
    routing: routing.apps,
    link,
    web: outcome.destination,
    forwarded: forwardedBy(link, { query: exchange.query, path: rest }),
    token,
    pageUrl: appPageUrl(token, broughtTo(exchange, link, rest)),
    isReturning: brought !== null,
  });
  return location;
}

/** What the page needs to decide as this request was decided: rules may read a query that is not forwarded. */
function broughtTo({ query }: Exchange, { routing }: RedirectLink, rest: string): Brought {
  const isRead = routing.forwardQuery || routing.readsQuery;
  return { query: isRead ? withoutParameter(query, TOKEN_PARAMETER) : '', path: rest };
}

/** Whether the visitor brings a genuine token of this link, whose click has already been counted. */
export function hasAppToken(exchange: Exchange, link: RedirectLink, atMs: number): boolean {
  return tokenOf(exchange, link, atMs) !== null;
}

/**
 * The click of a person who returns to a link with a click limit, on a phone and within `RETURN_MS`; null for other visits. With
 * `claimReturn` the bounds keep a token that is shared or saved from bypassing the limit.
 */
export function returningClick(
  exchange: Exchange,
  link: RedirectLink,
  { visitor, atMs }: { visitor: Visitor; atMs: number },
): string | null {
  const brought = genuineToken(exchange, link, atMs);
  if (
    !brought ||
    visitor.trafficClass !== 'human' ||
    visitor.device === 'desktop' ||
    atMs - clickedAtOf(brought) >= RETURN_MS
  )
    return null;
  return brought.clickId;
}

/** Whether no install has used the click, and nobody has come back with it to the ended link before; false also if the store is down. */
export async function claimReturn(clickId: string, atMs: number): Promise<boolean> {
  try {
    const used = await queryForRedirects('SELECT 1 AS one FROM used_clicks WHERE click_id = $1', [clickId]);
    return used.length === 0 && (await addPoints(`return:${clickId}`, 1, atMs + RETURN_MS)) === 1;
  } catch {
    return false;
  }
}

/** The token in the query, if it is a genuine one for a click of this link. */
function tokenOf(exchange: Exchange, link: RedirectLink, atMs: number): string | null {
  return genuineToken(exchange, link, atMs)?.token ?? null;
}

/** The same, with its claims. */
function genuineToken({ query }: Exchange, link: RedirectLink, atMs: number): (ClickToken & { token: string }) | null {
  if (!query.includes(TOKEN_PARAMETER)) return null;
  const token = parseParameters(query).get(TOKEN_PARAMETER)?.[0];
  if (token === undefined) return null;
  const claims = readClickToken(token, atMs);
  return claims.ok && claims.linkId === link.id ? { ...claims, token } : null;
}
