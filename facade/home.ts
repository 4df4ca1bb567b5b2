import type Koa from 'koa';
import { OWN_PATHS } from '../src/kernel/ownPaths.ts';

/** Where somebody goes on who has come to the bare address, with what is there. */
const PLACES = {
  [`${OWN_PATHS.api}/openapi.json`]: 'the REST API, described',
  [OWN_PATHS.downloads]: 'packages for apps and for receivers of webhooks',
  [OWN_PATHS.readyz]: 'whether the service is ready',
};
const BARE = new Set(['/', OWN_PATHS.api, `${OWN_PATHS.api}/`]);

/** A page for browsers at `/` and at the API's own address; for API clients there is nothing, as before. */
export const home: Koa.Middleware = (ctx, next) => {
  if (!BARE.has(ctx.path) || !['GET', 'HEAD'].includes(ctx.method)) return next();
  ctx.vary('Accept');
  if (ctx.accepts('json', 'html') !== 'html') return next();
  ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'");
  ctx.type = 'html';
  ctx.body = PAGE;
};

const LINKS = Object.entries(PLACES).map(([path, about]) => `<li><a href="${path}">${path}</a>: ${about}</li>`);

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>svc</title>
<h1>svc</h1>
<p>Links, deep links and webhooks are managed here.</p>
<ul>
${LINKS.join('\n')}
</ul>
</html>
`;
