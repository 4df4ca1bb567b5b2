import type { GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { type CodedError, methodNotAllowed, notFound } from '../src/kernel/errors.ts';
import { type Admission, admit } from './admit.ts';
import { type CompiledRoute, compileRoute } from './compileRoute.ts';
import { handle } from './handle.ts';
import { DOCUMENT_PATH, describeApi } from './openapi.ts';
import { ROUTES } from './routes/index.ts';
import { SURFACES, type Surface, type SurfaceName } from './surfaces.ts';

type Handle = (ctx: Koa.Context, path: Record<string, string>, admission: Admission) => Promise<void> | void;

interface Answer {
  needsKey: boolean;
  handle: Handle;
}

interface Place {
  pattern: RegExp;
  /** By method. */
  answers: Map<string, Answer>;
}

/** Middleware for everything below each surface, computed from the table of routes. */
export function routers(schema: GraphQLSchema): Record<SurfaceName, Koa.Middleware> {
  const compiled = ROUTES.map((route) => compileRoute(route, schema));
  // Now, so that a bad row stops the start; and when it is asked for, because on port 0 the origin is known only then.
  describeApi(compiled, schema);
  let document: string | undefined;
  const describe: Handle = (ctx) => {
    ctx.type = 'application/json';
    document ??= JSON.stringify(describeApi(compiled, schema));
    ctx.body = document;
  };
  const routesOf = (surface: Surface) => compiled.filter(({ on }) => on === surface);
  return {
    rest: router(SURFACES.rest, routesOf(SURFACES.rest), schema, { [DOCUMENT_PATH]: describe }),
    sdk: router(SURFACES.sdk, routesOf(SURFACES.sdk), schema),
  };
}

/** `open`: what is read without a key, by its path. */
function router(
  surface: Surface,
  routes: CompiledRoute[],
  schema: GraphQLSchema,
  open: Record<string, Handle> = {},
): Koa.Middleware {
  const places = new Map<string, Place>();
  const add = (method: string, path: string, needsKey: boolean, handle: Handle) => {
    const answer = { needsKey, handle };
    const place = places.get(path) ?? { pattern: patternOf(path), answers: new Map() };
    places.set(path, place);
    place.answers.set(method, answer);
    if (method === 'GET') place.answers.set('HEAD', answer);
  };
  for (const [path, answer] of Object.entries(open)) add('GET', path, false, inQuota(answer));
  for (const route of routes) add(route.method, route.path, needsKey(route), handle(route, schema));
  // Fixed segments win over placeholders: /links/lookup is no link with the id "lookup".
  const ordered = [...places].sort(([a], [b]) => placeholders(a) - placeholders(b)).map(([, place]) => place);

  return async (ctx) => {
    const path = ctx.path.slice(surface.path.length);
    const place = ordered.find(({ pattern }) => pattern.test(path));
    const answer = place?.answers.get(ctx.method);
    if (place && !answer) ctx.set('Allow', [...place.answers.keys()].join(', '));
    const routeError = answer ? null : noRoute(ctx, place);
    const admission = await admit(ctx, { surface, needsKey: answer?.needsKey ?? false, routeError });
    await answer?.handle(ctx, decodeAll(place?.pattern.exec(path)?.groups ?? {}), admission);
  };
}

function needsKey({ scope, on }: CompiledRoute): boolean {
  return scope !== null || on.keyKind === 'publishable';
}

function inQuota(answer: Handle): Handle {
  return (ctx, path, admission) => {
    if (admission.excess) throw admission.excess;
    return answer(ctx, path, admission);
  };
}

function noRoute(ctx: Koa.Context, place: Place | undefined): CodedError {
  return place ? methodNotAllowed(ctx.method, [...place.answers.keys()]) : notFound('path in this API');
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`);
}

function placeholders(path: string): number {
  return path.split('{').length;
}

/** Longest name of a thing: `ext_` and an external id. */
const MAX_NAME_LENGTH = 260;
/** No thing has this name: what cannot be an id is answered with 404 in its turn, after key, scope and body. */
const NAME_OF_NOTHING = '';

function decodeAll(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, raw]) => [name, decode(raw)]));
}

function decode(raw: string): string {
  try {
    const value = decodeURIComponent(raw);
    return value.length > MAX_NAME_LENGTH || value.includes('\u0000') ? NAME_OF_NOTHING : value;
  } catch {
    return NAME_OF_NOTHING;
  }
}
