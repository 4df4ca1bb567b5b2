import type Koa from 'koa';
import type { KeyPrincipal } from '../src/access/principal.ts';
import { isKnownInstall } from '../src/access/quotas/knownInstalls.ts';
import { addressSubject, countedSubject, type QuotaState, type Take } from '../src/access/quotas/quotas.ts';
import { warnOfDay } from '../src/access/quotas/warnOfDay.ts';
import type { CodedError } from '../src/kernel/errors.ts';
import { type Admission, countRequest } from './admit.ts';
import type { CompiledRoute } from './compileRoute.ts';
import { type Body, readBody } from './readBody.ts';

/** Of a body that was found to be good. */
interface AppCall {
  install_id: string;
  events?: unknown[] | null;
}

/**
 * Takes what a call tells from the quotas of its install, key, address and project; gives `rate_limited` when one is used
 * up. Installs that have never told of an opening are counted apart: a public key is all that is needed to make up as
 * many of them as one likes, and that must not use up what real devices need.
 */
export async function countApp(
  ctx: Koa.Context,
  { counts }: CompiledRoute,
  body: unknown,
  { projectId, keyId, teamId }: KeyPrincipal,
): Promise<CodedError | null> {
  const { install_id, events } = body as AppCall;
  const installId = install_id.toLowerCase();
  const excess = await countRequest(ctx, [['install', countedSubject(`${projectId} ${installId}`)]]);
  if (excess) return excess;
  const isKnown = await isKnownInstall({ projectId, installId });
  if (isKnown && counts === 'opening') return null;
  const address = addressSubject(ctx.state.clientAddress);
  const points = events?.length ?? 1;
  const of = (subject: string) => (isKnown ? subject : `${subject} unknown`);
  const takes: Take[] =
    counts === 'opening'
      ? [
          ['addressInstalls', `${projectId} ${address}`],
          ['projectInstalls', projectId],
        ]
      : [
          ['keyAddressEvents', of(`${keyId} ${address}`), points],
          ['keyEvents', of(keyId), points],
          ['projectEvents', of(projectId), points],
        ];
  return countRequest(ctx, takes, (state: QuotaState) => warnOfDay({ projectId, teamId }, state));
}

/**
 * The body of a call from an install that is known, of a key whose requests are used up; null for every other call.
 * Known installs have as many requests once more, so that others cannot shut them out.
 */
export async function bodyOfKnownInstall(
  ctx: Koa.Context,
  route: CompiledRoute,
  { principal, exceeded }: Admission,
): Promise<Body | null> {
  if (exceeded !== 'publishableKey' || !route.counts || !principal) return null;
  const body = await readBody(ctx.req, route).catch(() => null);
  const installId = (body?.value as Partial<AppCall> | null | undefined)?.install_id;
  if (!body || typeof installId !== 'string' || installId.length > UUID_LENGTH) return null;
  const isKnown = await isKnownInstall({ projectId: principal.projectId, installId: installId.toLowerCase() });
  if (!isKnown) return null;
  ctx.state.quota = undefined;
  const excess = await countRequest(ctx, [['publishableKey', `${principal.keyId} known`]]);
  return excess ? null : body;
}

const UUID_LENGTH = 36;
