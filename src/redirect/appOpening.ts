import { config } from '../kernel/config.ts';
import { OWN_PATHS } from '../kernel/ownPaths.ts';
import { issueClickToken, readClickToken } from '../matching/installationTokens.ts';
import { appTarget } from '../routing/appTarget.ts';
import { TOKEN_PARAMETER } from '../routing/appUrls.ts';
import type { Redirect } from '../routing/outcome.ts';
import { parseParameters } from '../routing/queryString.ts';
import type { Visitor } from '../routing/visitor.ts';
import type { Exchange } from './Exchange.ts';
import type { RedirectLink } from './loadLink.ts';

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

/** A genuine token for a click of this very link. */
function tokenOf({ query }: Exchange, link: RedirectLink, atMs: number): string | null {
  if (!query.includes(TOKEN_PARAMETER)) return null;
  const token = parseParameters(query).get(TOKEN_PARAMETER)?.[0];
  if (token === undefined) return null;
  const claims = readClickToken(token, atMs);
  return claims.ok && claims.linkId === link.id ? token : null;
}
