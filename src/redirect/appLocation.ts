import { config } from '../kernel/config.ts';
import { OWN_PATHS } from '../kernel/ownPaths.ts';
import { type ClickToken, clickedAtOf } from '../matching/clickToken.ts';
import { issueClickToken, readClickToken } from '../matching/installationTokens.ts';
import { appTarget } from '../routing/appTarget.ts';
import { TOKEN_PARAMETER } from '../routing/appUrls.ts';
import type { Redirect } from '../routing/outcome.ts';
import { parseParameters } from '../routing/queryString.ts';
import type { Visitor } from '../routing/visitor.ts';
import type { Exchange } from './Exchange.ts';
import { lookUp, type RedirectLink } from './loadLink.ts';

/** Where a link that opens apps sends this visitor; null: to the destination like others. */
export function appLocation(
  exchange: Exchange,
  link: RedirectLink,
  visitor: Visitor,
  outcome: Redirect,
  click: { id: string; atMs: number },
): string | null {
  const { routing, apps } = link;
  if (routing.apps === null) return null;
  const brought = tokenOf(exchange, link, click.atMs);
  const claims = { clickId: click.id, projectId: link.projectId, linkId: link.id };
  const token = brought ?? issueClickToken(claims, click.atMs);
  const { location } = appTarget({
    visitor,
    apps,
    routing: routing.apps,
    link,
    web: outcome.destination,
    token,
    pageUrl: `${config.baseUrl}${OWN_PATHS.openApp}?t=${token}`,
    isReturning: brought !== null,
  });
  return location;
}

/** Whether the visitor comes with a token of ours: the click that it names is counted already. */
export function hasAppToken(exchange: Exchange, link: RedirectLink, atMs: number): boolean {
  return tokenOf(exchange, link, atMs) !== null;
}

/** So long after a click its visitor may still be on the way by the page that leads to the app, or to a store. */
const RETURN_MS = 3_600_000;

/**
 * The click of a visitor who comes back to a link with a click limit, on a phone and soon after; null: a visit like any
 * other. Whoever hands the token on, or keeps it, must not follow the link for ever past its limit.
 */
export function returningClick(
  exchange: Exchange,
  link: RedirectLink,
  { visitor, atMs }: { visitor: Visitor; atMs: number },
): string | null {
  const brought = broughtBy(exchange, link, atMs);
  if (!brought || visitor.device === 'desktop' || atMs - clickedAtOf(brought) >= RETURN_MS) return null;
  return brought.clickId;
}

/** Whether no install has used the click; false also when the store does not say. */
export async function isUnusedClick(clickId: string): Promise<boolean> {
  try {
    return (await lookUp('SELECT 1 AS one FROM used_clicks WHERE click_id = $1', [clickId])).length === 0;
  } catch {
    return false;
  }
}

/** A genuine token for a click of this very link. */
function tokenOf(exchange: Exchange, link: RedirectLink, atMs: number): string | null {
  return broughtBy(exchange, link, atMs)?.token ?? null;
}

/** The same with what it says. */
function broughtBy({ query }: Exchange, link: RedirectLink, atMs: number): (ClickToken & { token: string }) | null {
  if (!query.includes(TOKEN_PARAMETER)) return null;
  const token = parseParameters(query).get(TOKEN_PARAMETER)?.[0];
  if (token === undefined) return null;
  const claims = readClickToken(token, atMs);
  return claims.ok && claims.linkId === link.id ? { ...claims, token } : null;
}
