import type Koa from 'koa';
import { trustedTraceparent } from '../src/kernel/incomingRequest.ts';
import { inSpan } from '../src/kernel/tracing.ts';

/**
 * A span for each request on the host of BASE_URL, named by its method and route. The trace of a `traceparent` header goes
 * on if a trusted proxy sent it: strangers do not choose what is recorded.
 */
export const traceRequests: Koa.Middleware = (ctx, next) =>
  inSpan(ctx.method, { kind: 'server', parent: trustedTraceparent(ctx.req) }, async (describe) => {
    await next();
    const route = routeOf(ctx);
    describe(
      {
        'http.request.method': ctx.method,
        'http.response.status_code': ctx.status,
        'svc.request_id': ctx.state.requestId,
        ...(route ? { 'http.route': route } : {}),
        ...(ctx.status >= 500 ? { 'error.type': String(ctx.status) } : {}),
      },
      route ? `${ctx.method} ${route}` : ctx.method,
    );
  });

/** The pattern of the route that served the request, with placeholders; undefined where no route did. */
function routeOf(ctx: Koa.Context): string | undefined {
  const { _matchedRoute: matched } = ctx as { _matchedRoute?: unknown };
  return typeof matched === 'string' ? matched : ctx.state.mount;
}
