import type { GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { requireScope } from '../src/access/authorize.ts';
import { RequestOutcome } from '../src/kernel/requestOutcome.ts';
import { bodyOfKnownInstall, countAppCall } from './appQuotas.ts';
import type { Admission } from './authenticate.ts';
import { type Asked, type Caller, type OpenStream, perform, performOverQuota } from './perform.ts';
import { readBody } from './readBody.ts';
import { respond } from './respond.ts';
import type { CompiledRoute } from './route.ts';

/** The handler of every route: reads the request, has the operation performed, and responds. */
export function handle(route: CompiledRoute, schema: GraphQLSchema, openStream?: OpenStream) {
  return async (ctx: Koa.Context, path: Record<string, string>, admission: Admission): Promise<void> => {
    const { principal, excess } = admission;
    const { requestId, clientAddress } = ctx.state;
    const caller: Caller = { principal, requestId, clientAddress, openStream };
    const early = excess && (await bodyOfKnownInstall(ctx, route, admission));
    if (excess && !early) return respond(ctx, await performOverQuota(route, schema, excess, caller));
    // Before the body, which may be large, is read.
    if (principal && route.scope) requireScope(principal.scopes, route.scope);
    const body = early ?? (await readBody(ctx.req, route));
    try {
      const outcome = new RequestOutcome();
      ctx.state.outcome = outcome;
      if (route.bodyType) ctx.res.once('close', () => outcome.abandon());
      const asked: Asked = {
        path,
        query: queryOf(ctx, route),
        body,
        target: ctx.originalUrl,
        idempotencyKey: ctx.req.headers['idempotency-key'] as string | undefined,
      };
      const spend = route.counts && principal ? () => countAppCall(ctx, route, body.value, principal) : undefined;
      respond(ctx, await perform(route, schema, asked, { ...caller, outcome, ...(spend ? { spend } : {}) }));
    } finally {
      await body.upload?.remove();
    }
  };
}

/** Clients of server-sent events come back with the address of before; where they are says a header. */
function queryOf(ctx: Koa.Context, { answer }: CompiledRoute): URLSearchParams {
  const query = new URLSearchParams(ctx.querystring);
  const lastEventId = ctx.get('Last-Event-ID');
  if (answer === 'stream' && lastEventId !== '') query.set('after', lastEventId);
  return query;
}
