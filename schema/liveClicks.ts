import type Koa from 'koa';
import { authorizeProject } from '../src/access/authorize.ts';
import { NOBODY, type Principal } from '../src/access/principal.ts';
import { CodedError, notFound, validationFailed } from '../src/kernel/errors.ts';
import { isId } from '../src/kernel/ids.ts';
import type { LiveClicks } from '../src/live/LiveClicks.ts';
import { sessionPrincipal } from '../src/services/accounts/sessions.ts';
import { refuseOtherSites } from './refuseOtherSites.ts';
import { readSessionCookie } from './sessionCookie.ts';

/**
 * Middleware that answers `GET /graphql/clicks?project_id=…` with server-sent events: the clicks of a project as they
 * come, for whoever may read its analytics, until their session ends.
 */
export function liveClicksMiddleware(live: LiveClicks): Koa.Middleware[] {
  return [onlyGet, (ctx) => answer(ctx, live)];
}

async function answer(ctx: Koa.Context, live: LiveClicks): Promise<void> {
  refuseOtherSites(ctx.headers);
  const token = readSessionCookie(ctx);
  const principal = await principalOf(token);
  if (principal.kind !== 'session') throw new CodedError('not_signed_in', 'Sign in first.');
  const projectId = wantedProject(ctx);
  await authorizeProject(principal, 'analytics:read', projectId);
  await live.open({
    response: ctx.res,
    projectId,
    session: principal.tokenHash,
    afterId: lastEventId(ctx),
    isAllowed: async () => isAllowed(await principalOf(token), projectId),
  });
  ctx.respond = false;
}

async function principalOf(token: string | undefined): Promise<Principal> {
  return (token ? await sessionPrincipal(token) : null) ?? NOBODY;
}

/** Throws `validation_failed` without one, `not_found` for what is no id. */
function wantedProject(ctx: Koa.Context): string {
  const given = ctx.URL.searchParams.get('project_id');
  if (!given) throw validationFailed([{ path: 'project_id', message: 'Name a project.' }]);
  if (!isId('prj', given)) throw notFound('project');
  return given;
}

/** What a browser sends that was cut off. Anything but the id of a click is passed over. */
function lastEventId(ctx: Koa.Context): string | null {
  const given = ctx.get('Last-Event-ID');
  return isId('clk', given) ? given : null;
}

async function isAllowed(principal: Principal, projectId: string): Promise<boolean> {
  try {
    await authorizeProject(principal, 'analytics:read', projectId);
    return true;
  } catch (error) {
    if (error instanceof CodedError) return false;
    throw error;
  }
}

const onlyGet: Koa.Middleware = (ctx, next) => {
  if (ctx.method === 'GET') return next();
  ctx.set('Allow', 'GET');
  throw new CodedError('method_not_allowed', `${ctx.method} is not possible here.`);
};
