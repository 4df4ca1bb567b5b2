import { METHODS } from 'node:http';
import Router, { type RouterContext, type RouterMiddleware } from '@koa/router';
import type { GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { type CodedError, methodNotAllowed, notFound } from '../src/kernel/errors.ts';
import { APIS, type Api, type ApiName } from './apis.ts';
import { type Admission, admit } from './authenticate.ts';
import { CODE_SCHEMA_PATH, codeSchemaOf } from './codeSchema.ts';
import { handle } from './handle.ts';
import { DOCUMENT_PATH, documentOf } from './openapi/document.ts';
import type { OpenStream } from './perform.ts';
import type { CompiledRoute } from './route.ts';

/** What the two APIs are computed from. */
export interface Apis {
  routes: CompiledRoute[];
  schema: GraphQLSchema;
  /** Opens streams of events, in a process that has the REST API. */
  openStream?: OpenStream;
}

type Handle = (ctx: Koa.Context, path: Record<string, string>, admission: Admission) => Promise<void> | void;

/** Middleware for everything below each API, computed from the rows of the table. */
export function routers({ routes: compiled, schema, openStream }: Apis): Record<ApiName, Koa.Middleware> {
  let text: string | undefined;
  const describe: Handle = (ctx, _, { excess }) => {
    if (excess) throw excess;
    ctx.type = 'application/json';
    text ??= JSON.stringify(documentOf(compiled, schema));
    ctx.body = text;
  };
  let codeText: string | undefined;
  const describeCode: Handle = (ctx, _, { excess }) => {
    if (excess) throw excess;
    ctx.type = 'application/schema+json';
    codeText ??= JSON.stringify(codeSchemaOf(documentOf(compiled, schema)));
    ctx.body = codeText;
  };
  const placesOf = (api: Api): Place[] =>
    compiled
      .filter(({ on }) => on === api)
      .map((route) => ({ ...route, needsKey: true, handle: handle(route, schema, openStream) }));
  const documents: Place[] = [
    { method: 'GET', path: DOCUMENT_PATH, needsKey: false, handle: describe },
    { method: 'GET', path: CODE_SCHEMA_PATH, needsKey: false, handle: describeCode },
  ];
  return {
    rest: serve(APIS.rest, [...placesOf(APIS.rest), ...documents]),
    sdk: serve(APIS.sdk, placesOf(APIS.sdk)),
  };
}

interface Place {
  method: string;
  path: string;
  needsKey: boolean;
  handle: Handle;
}

/** A router for each resource, so that a request is not matched against the routes of all the others. */
function serve(api: Api, places: Place[]): Koa.Middleware {
  const byResource = new Map<string, Koa.Middleware>();
  for (const [resource, its = []] of Object.entries(Object.groupBy(places, ({ path }) => firstSegment(path)))) {
    // As OpenAPI asks: fixed segments win over placeholders, so /links/lookup is no link with the id "lookup".
    const router = new Router({ prefix: api.path, exclusive: 'specificity', sensitive: true, methods: METHODS });
    for (const place of its) add(router, api, place);
    byResource.set(resource, router.routes() as unknown as Koa.Middleware);
  }
  return (ctx) => {
    const route = byResource.get(firstSegment(ctx.path.slice(api.path.length)));
    return route ? route(ctx, () => refuse(ctx, api)) : refuse(ctx, api);
  };
}

function firstSegment(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

function add(router: Router, api: Api, { method, path, needsKey, handle }: Place): void {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const answer: RouterMiddleware = async (ctx: RouterContext) => {
    // DELETE /links/lookup is no way to delete a link with the id "lookup": that path has methods of its own.
    const fitsBetter = (other: Layer) => other.paramNames.length < names.length;
    if (matched(ctx).some(fitsBetter)) return refuse(ctx, api);
    const { captures = [] } = ctx;
    const admission = await admit(ctx, { api, needsKey, routeError: null });
    await handle(ctx, Object.fromEntries(names.map((name, at) => [name, decode(captures[at] ?? '')])), admission);
  };
  router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], answer);
}

type Layer = Router['stack'][number];

/** The routes whose path fits a request, with any method. */
function matched(ctx: Koa.Context): Layer[] {
  return (ctx.matched as Layer[] | undefined) ?? [];
}

/** For requests without a route: 404, or 405 if the path that fits best has routes for other methods. */
async function refuse(ctx: Koa.Context, api: Api): Promise<void> {
  const fewest = Math.min(...matched(ctx).map(({ paramNames }) => paramNames.length));
  const closest = matched(ctx).filter(({ paramNames }) => paramNames.length === fewest);
  const methods = closest.flatMap((route) => route.methods);
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
