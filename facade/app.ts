import cors from '@koa/cors';
import type { GraphQLSchema } from 'graphql';
import Koa from 'koa';
import { config } from '../src/kernel/config.ts';
import { methodNotAllowed, notFound } from '../src/kernel/errors.ts';
import { metrics } from '../src/kernel/metrics.ts';
import { clientAddress, requestIdOf } from '../src/kernel/requestFacts.ts';
import { StoreHangs, unlessSilent } from '../src/kernel/storeSilence.ts';
import { home } from './home.ts';
import { problem } from './problem.ts';
import { routers } from './router.ts';
import { SURFACES } from './surfaces.ts';

/** Further surfaces beside REST: middleware by the path that it answers, and everything below it. */
export type Mounts = Record<string, Koa.Middleware[]>;

/** The Koa application of the base host: REST, and whatever is mounted beside it. */
export function createApp(schema: GraphQLSchema, mounts: Mounts): Koa {
  const app = new Koa();
  // Errors of a connection that breaks while it is answered are nobody's business.
  app.silent = true;
  app.use(identify).use(problem).use(home);
  const { rest, sdk } = routers(schema);
  const surfaces = {
    [SURFACES.rest.path]: [whileStoreAnswers, rest],
    [SURFACES.sdk.path]: [everyOrigin(), whileStoreAnswers, sdk],
  };
  for (const [path, middleware] of Object.entries({ ...mounts, ...surfaces })) {
    for (const step of middleware) app.use((ctx, next) => (isBelow(ctx.path, path) ? step(ctx, next) : next()));
  }
  app.use(() => {
    throw notFound('page');
  });
  return app;
}

/** Nobody waits for a store that hangs: 503, within the 2 seconds that it takes to be sure of that. */
export const whileStoreAnswers: Koa.Middleware = async (ctx, next) => {
  try {
    await unlessSilent(next);
  } catch (error) {
    // Unless the store was asked to commit before, and alone knows whether it did.
    if (error instanceof StoreHangs) ctx.state.right?.refuse();
    throw error;
  }
};

/** Gives the request its id and its client, and counts the time it takes. */
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

/** Apps run in web views and browsers, on any origin; their key is no secret and there are no cookies. */
function everyOrigin(): Koa.Middleware {
  return cors({
    origin: '*',
    allowMethods: 'POST',
    allowHeaders: 'X-SVC-Key, Content-Type',
    exposeHeaders: 'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After',
    maxAge: 86_400,
  });
}

function isBelow(path: string, mount: string): boolean {
  return path === mount || path.startsWith(`${mount}/`);
}

/** Refuses every method but these, for mounts that answer one page. */
export function only(...methods: string[]): Koa.Middleware {
  return async (ctx, next) => {
    if (methods.includes(ctx.method)) return next();
    ctx.set('Allow', methods.join(', '));
    throw methodNotAllowed(ctx.method, methods);
  };
}
