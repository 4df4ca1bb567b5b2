import type Koa from 'koa';
import { readSessionCookie } from '../schema/browserSession.ts';
import { html } from '../src/kernel/html.ts';
import { isFromThisMachine } from '../src/kernel/incomingRequest.ts';
import { OWN_PATHS } from '../src/kernel/origins.ts';

/** What the first page shows to people who are not signed in; see src/redirect/pages/homePage.ts. */
export interface Welcome {
  /** Renders it: alternating names and values of headers, and the page. */
  page(
    acceptLanguage: string | undefined,
    links: { signIn: string | null; signUp: string | null; reference: string },
  ): { headers: readonly string[]; html: Buffer };
  /** Whether the client may create an account without an invitation. */
  isSignUpOpen(isFromThisMachine: boolean): boolean;
}

const DOCUMENT = `${OWN_PATHS.api}/openapi.json`;

/** The links at the root of the API, with what they lead to. */
const API_LINKS: Record<string, string> = {
  [OWN_PATHS.reference]: 'the reference for people',
  [OWN_PATHS.llms]: 'the reference for machines',
  [DOCUMENT]: 'the description of the REST API',
  [OWN_PATHS.downloads]: 'packages for apps, webhook receivers and scripts',
  [OWN_PATHS.readyz]: 'whether the service is ready',
};
const BARE = new Set(['/', OWN_PATHS.api, `${OWN_PATHS.api}/`]);

/**
 * What browsers get at `/`: people with a session are led to the dashboard, where this process has it, and all others see what
 * this is. At the root of the API there is a page of links. API clients get 404. `mounted`: the paths that are served.
 */
export const home =
  (mounted: ReadonlySet<string>, welcome: Welcome): Koa.Middleware =>
  (ctx, next) => {
    if (!BARE.has(ctx.path) || !['GET', 'HEAD'].includes(ctx.method)) return next();
    ctx.vary('Accept');
    if (ctx.accepts('json', 'html') !== 'html') return next();
    if (ctx.path !== '/') return showLinks(ctx, mounted);
    ctx.vary('Cookie, Accept-Language');
    const hasDashboard = mounted.has(OWN_PATHS.dashboard);
    if (hasDashboard && readSessionCookie(ctx)) return ctx.redirect(OWN_PATHS.dashboard);
    const isOpen = hasDashboard && welcome.isSignUpOpen(isFromThisMachine(ctx.req));
    const { headers, html } = welcome.page(ctx.headers['accept-language'], {
      signIn: hasDashboard ? `${OWN_PATHS.dashboard}/sign-in` : null,
      signUp: isOpen ? `${OWN_PATHS.dashboard}/sign-up` : null,
      reference: mounted.has(OWN_PATHS.reference) ? OWN_PATHS.reference : DOCUMENT,
    });
    for (let at = 0; at < headers.length; at += 2) ctx.set(headers[at] as string, headers[at + 1] as string);
    ctx.body = html;
  };

function showLinks(ctx: Koa.Context, mounted: ReadonlySet<string>): void {
  ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'");
  ctx.type = 'html';
  const served = Object.entries(API_LINKS).filter(([path]) => path === DOCUMENT || mounted.has(path));
  const items = served.map(([path, about]) => html`<li><a href="${path}">${path}</a>: ${about}</li>\n`);
  ctx.body = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>svc</title>
<h1>svc</h1>
<p>Links, deep links and webhooks are managed here.</p>
<ul>
${items}</ul>
</html>
`.markup;
}
