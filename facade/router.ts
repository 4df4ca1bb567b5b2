import { METHODS } from 'node:http';
import Router, { type RouterContext, type RouterMiddleware } from '@koa/router';
import type { GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { type CodedError, methodNotAllowed, notFound } from '../src/kernel/errors.ts';
import { APIS, type Api, type ApiName } from './apis.ts';
import { type Admission, admit } from './authenticate.ts';
import { handle } from './handle.ts';
import { DOCUMENT_PATH, describeApi } from './openapi/document.ts';
import { type CompiledRoute, compileRoute } from './route.ts';
import { ROUTES } from './routes/index.ts';

type Handle = (ctx: Koa.Context, path: Record<string, string>, admission: Admission) => Promise<void> | void;

/** Middleware for everything below each API, computed from the table of routes. */
export function routers(schema: GraphQLSchema): Record<ApiName, Koa.Middleware[]> {
  const compiled = ROUTES.map((route) => compileRoute(route, schema));
  // Built now, so that an invalid row prevents the start, and again on request, because on port 0 the origin is known late.
  describeApi(compiled, schema);
  let document: string | undefined;
  const describe: Handle = (ctx, _, { excess }) => {
    if (excess) throw excess;
    ctx.type = 'application/json';
    document ??= JSON.stringify(describeApi(compiled, schema));
    ctx.body = document;
  };
  const routerOf = (api: Api) => {
    const router = newRouter({ prefix: api.path });
    for (const route of compiled.filter(({ on }) => on === api)) {
      add(router, api, { ...route, needsKey: needsKey(route), handle: handle(route, schema) });
    }
    return router;
  };
  const rest = routerOf(APIS.rest);
  const sdk = routerOf(APIS.sdk);
  add(rest, APIS.rest, { method: 'GET', path: DOCUMENT_PATH, needsKey: false, handle: describe });
  return {
    rest: [asMiddleware(rest), (ctx) => refuse(ctx, rest, APIS.rest)],
    sdk: [asMiddleware(sdk), (ctx) => refuse(ctx, sdk, APIS.sdk)],
  };
}

/** A router as OpenAPI asks for: fixed segments win over placeholders, so /links/lookup is no link with the id "lookup". */
export function newRouter(options: { prefix?: string } = {}): Router {
  return new Router({ ...options, exclusive: 'specificity', sensitive: true, methods: METHODS });
}

export function asMiddleware(router: Router): Koa.Middleware {
  return router.routes() as unknown as Koa.Middleware;
}

interface Place {
  method: string;
  path: string;
  needsKey: boolean;
  handle: Handle;
}

function add(router: Router, api: Api, { method, path, needsKey, handle }: Place): void {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const answer: RouterMiddleware = async (ctx: RouterContext) => {
    // DELETE /links/lookup is no way to delete a link with the id "lookup": that path has methods of its own.
    if (closest(router, ctx)[0]?.paramNames.length !== names.length) return refuse(ctx, router, api);
    const { captures = [] } = ctx;
    const admission = await admit(ctx, { api, needsKey, routeError: null });
    await handle(ctx, Object.fromEntries(names.map((name, at) => [name, decode(captures[at] ?? '')])), admission);
  };
  router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], answer);
}

function needsKey({ scope, on }: CompiledRoute): boolean {
  return scope !== null || on.keyKind === 'publishable';
}

/** The routes of the path that fits a request best, one for each method. */
function closest(router: Router, ctx: Koa.Context): Router['stack'] {
  // What the router has matched already; the one that mounts the APIs is among it.
  const path = (ctx.matched as Router['stack']).filter((route) => router.stack.includes(route));
  const fewest = Math.min(...path.map(({ paramNames }) => paramNames.length));
  return path.filter(({ paramNames }) => paramNames.length === fewest);
}

/** For requests without a route: 404, or 405 if the path has other methods. */
async function refuse(ctx: Koa.Context, router: Router, api: Api): Promise<void> {
  const methods = closest(router, ctx).flatMap((route) => route.methods);
  if (methods.length > 0) ctx.set('Allow', methods.join(', '));
  await admit(ctx, { api, needsKey: false, routeError: noRoute(ctx, methods) });
}

function noRoute(ctx: Koa.Context, methods: string[]): CodedError {
  return methods.length > 0 ? methodNotAllowed(ctx.method, methods) : notFound('path in this API');
}

/** The longest id in a path: `ext_` and an external id. */
const MAX_ID_LENGTH = 260;
/** Stands for an invalid id. No object has it, so the response is 404, after the key, scope and body are checked. */
const INVALID_ID = '';

function decode(raw: string): string {
  try {
    const value = decodeURIComponent(raw);
    return value.length > MAX_ID_LENGTH || value.includes('\u0000') ? INVALID_ID : value;
  } catch {
    return INVALID_ID;
  }
}
