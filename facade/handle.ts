import type { GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { execute } from '../schema/execute.ts';
import { requireScope } from '../src/access/authorize.ts';
import { NOBODY } from '../src/access/principal.ts';
import { authenticate } from './authenticate.ts';
import { bind } from './bind.ts';
import type { CompiledRoute } from './compileRoute.ts';
import { readJson } from './readJson.ts';

/** The one handler of every row, its steps in the order in which the contract decides errors. */
export function handle(route: CompiledRoute, schema: GraphQLSchema) {
  return async (ctx: Koa.Context, path: Record<string, string>): Promise<void> => {
    const principal = route.scope ? await authenticate(ctx.req) : null;
    if (principal && route.scope) requireScope(principal.scopes, route.scope);
    const takesBody = route.method !== 'GET' && route.method !== 'DELETE';
    const body = takesBody ? await readJson(ctx.req, route.bodyType !== null) : undefined;
    const variables = await bind(route, { path, query: new URLSearchParams(ctx.querystring), body }, principal);
    const result = await execute({
      schema,
      document: route.compiled,
      variables,
      context: {
        principal: principal ?? NOBODY,
        requestId: ctx.state.requestId,
        validated: true,
        clientAddress: ctx.state.clientAddress,
      },
    });
    ctx.status = route.status;
    if (route.status !== 204) ctx.body = result;
  };
}
