import type Koa from 'koa';
import { NOBODY, type Principal } from '../src/access/principal.ts';
import { sessionPrincipal } from '../src/accounts/sessionService.ts';
import { CodedError, notFound, validationFailed } from '../src/kernel/errors.ts';
import { isId } from '../src/kernel/ids.ts';
import type { LiveClicks } from '../src/live/liveService.ts';
import { readSessionCookie, refuseOtherSites } from './browserSession.ts';

/**
 * Middleware that serves `GET /graphql/clicks?project_id=…` as server-sent events: the clicks of a project as they happen,
 * for people who may read its analytics, until their session ends.
 */
export function liveClicksMiddleware(live: LiveClicks): Koa.Middleware[] {
  return [onlyGet, (ctx) => answer(ctx, live)];
}

async function answer(ctx: Koa.Context, live: LiveClicks): Promise<void> {
  refuseOtherSites(ctx.headers);
  const token = readSessionCookie(ctx);
  const principal = await principalOf(token);
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

/** The last event that a reconnecting browser received; null unless it is the id of a click. */
function lastEventId(ctx: Koa.Context): string | null {
  const given = ctx.get('Last-Event-ID');
  return isId('clk', given) ? given : null;
}

const onlyGet: Koa.Middleware = (ctx, next) => {
  if (ctx.method === 'GET') return next();
  ctx.set('Allow', 'GET');
  throw new CodedError('method_not_allowed', `${ctx.method} is not allowed here. Use GET.`);
};
