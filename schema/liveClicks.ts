import type Koa from 'koa';
import { NOBODY, type Principal } from '../src/access/principal.ts';
import { sessionPrincipal } from '../src/accounts/sessionService.ts';
import { CodedError, notFound, validationFailed } from '../src/kernel/errors.ts';
import { isId } from '../src/kernel/ids.ts';
import type { LiveClicks } from '../src/live/liveService.ts';
import { readSessionCookie } from './browserSession.ts';
import { admitSession } from './server.ts';

/**
 * Middleware that serves `GET /graphql/clicks?project_id=…` as server-sent events: the clicks of a project as they happen,
 * for people who may read its analytics, until their session ends.
 */
export function liveClicksMiddleware(live: LiveClicks): Koa.Middleware[] {
  return [onlyGet, admitSession, (ctx) => answer(ctx, live)];
}

async function answer(ctx: Koa.Context, live: LiveClicks): Promise<void> {
  const principal: Principal = ctx.state.principal;
  const token = readSessionCookie(ctx);
  if (principal.kind !== 'session') throw new CodedError('not_signed_in', 'Sign in first.');
  await live.open(principal, {
    response: ctx.res,
    projectId: requestedProject(ctx),
    afterId: lastEventId(ctx),
    currentPrincipal: () => principalOf(token),
  });
  ctx.respond = false;
}

async function principalOf(token: string | undefined): Promise<Principal> {
  return (token ? await sessionPrincipal(token) : null) ?? NOBODY;
}

/** Throws `validation_failed` without a project, and `not_found` for a malformed id. */
function requestedProject(ctx: Koa.Context): string {
  const given = ctx.URL.searchParams.get('project_id');
  if (!given) throw validationFailed([{ path: 'project_id', message: 'Is required: the id of a project.' }]);
  if (!isId('prj', given)) throw notFound('project');
  return given;
}

/**
 * The last event that a returning client received; null unless it is the id of a click. Browsers send the header when a
 * connection breaks, but a page that opens its stream anew, as after a 503, can only put the id into the address.
 */
function lastEventId(ctx: Koa.Context): string | null {
  const given = ctx.get('Last-Event-ID') || ctx.URL.searchParams.get('last_event_id');
  return given !== null && isId('clk', given) ? given : null;
}

const onlyGet: Koa.Middleware = (ctx, next) => {
  if (ctx.method === 'GET') return next();
  ctx.set('Allow', 'GET');
  throw new CodedError('method_not_allowed', `${ctx.method} is not allowed here. Use GET.`);
};
