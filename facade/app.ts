import cors from '@koa/cors';
import Koa from 'koa';
import { config } from '../src/kernel/config.ts';
import { methodNotAllowed, notFound } from '../src/kernel/errors.ts';
import { clientAddress, requestIdOf } from '../src/kernel/incomingRequest.ts';
import { metrics } from '../src/kernel/metrics.ts';
import { StoreUnresponsive, unlessStoreSilent } from '../src/kernel/storeResponse.ts';
import { APIS } from './apis.ts';
import { home, type Welcome } from './home.ts';
import { problem } from './respond.ts';
import { type Apis, routers } from './router.ts';
import { traceRequests } from './traceRequests.ts';

/** Further middleware besides the two APIs, by the path that it serves, with everything below it. */
export type Mounts = Record<string, Koa.Middleware[]>;

/** The Koa application on the host of BASE_URL: both APIs, and whatever else is mounted. */
export function createApp(apis: Apis, mounts: Mounts, welcome: Welcome): Koa {
  const app = new Koa();
  // A connection that breaks during the response is not an error worth a log line.
  app.silent = true;
  app
    .use(identify)
    .use(traceRequests)
    .use(problem)
    .use(home(new Set(Object.keys(mounts)), welcome));
  const { rest, sdk } = routers(apis);
  const api = {
    [APIS.rest.path]: [whileStoreAnswers, rest],
    [APIS.sdk.path]: [everyOrigin(), whileStoreAnswers, sdk],
  };
  for (const [path, middleware] of Object.entries({ ...mounts, ...api })) {
    for (const step of middleware)
      app.use((ctx, next) => {
        if (!isBelow(ctx.path, path)) return next();
        ctx.state.mount = path;
        return step(ctx, next);
      });
  }
  app.use(() => {
    throw notFound('page');
  });
  return app;
}

/** Whether the path is `root` or something below it. */
function isBelow(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}

/** Responds with 503 while the store does not respond, which takes up to 2 seconds to detect. */
export const whileStoreAnswers: Koa.Middleware = async (ctx, next) => {
  try {
    await unlessStoreSilent(next);
  } catch (error) {
    // No effect if a commit was sent before: only the store knows whether it happened.
    if (error instanceof StoreUnresponsive) ctx.state.outcome?.refuse();
    throw error;
  }
};

/** Sets the request id, the client address and common headers, and measures the duration. */
async function identify(ctx: Koa.Context, next: Koa.Next): Promise<void> {
  const startedAt = performance.now();
  ctx.state.requestId = requestIdOf(ctx.req);
  ctx.state.clientAddress = clientAddress(ctx.req);
  ctx.set('X-Request-Id', ctx.state.requestId);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', 'no-store');
  if (config.baseUrl.startsWith('https:')) ctx.set('Strict-Transport-Security', 'max-age=31536000');
  await next();
  metrics.requests.observe({ method: ctx.method, status: ctx.status }, (performance.now() - startedAt) / 1000);
}

/** CORS for any origin: apps also run in web views and browsers, their key is not secret, and there are no cookies. */
function everyOrigin(): Koa.Middleware {
  return cors({
    origin: '*',
    allowMethods: 'POST',
    allowHeaders: 'X-SVC-Key, Content-Type',
    exposeHeaders: 'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After',
    maxAge: 86_400,
  });
}

/** Refuses all other methods, for mounts with a single page. */
export function only(...methods: string[]): Koa.Middleware {
  return async (ctx, next) => {
    if (methods.includes(ctx.method)) return next();
    ctx.set('Allow', methods.join(', '));
    throw methodNotAllowed(ctx.method, methods);
  };
}
