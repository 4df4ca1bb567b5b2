import type Koa from 'koa';
import type { KeyPrincipal } from '../src/access/principal.ts';
import {
  addressSubject,
  countedSubject,
  isKnownInstall,
  type QuotaState,
  type QuotaUse,
} from '../src/access/quotas.ts';
import { warnOfDailyLimit } from '../src/alerts/dailyLimitAlerts.ts';
import type { CodedError } from '../src/kernel/errors.ts';
import { type Admission, countRequest } from './authenticate.ts';
import { type Body, readBody } from './readBody.ts';
import type { CompiledRoute } from './route.ts';

/** The fields of a valid body that quotas need. */
interface AppCall {
  install_id: string;
  events?: unknown[] | null;
}

/**
 * Counts a call against the quotas of its install, key, address and project. Returns `rate_limited` when one is used up.
 * Installs that have never reported an open are counted separately: anyone with the public key can invent any number of
 * them, which must not use up the quotas of real devices.
 */
export async function countAppCall(
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
  const takes: QuotaUse[] =
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
  return countRequest(ctx, takes, (state: QuotaState) => warnOfDailyLimit({ projectId, teamId }, state));
}

/**
 * The body of a call from a known install when the quota of its key is used up; null for every other call. Known installs
 * share a second quota of the same size, so that invented ones cannot lock them out.
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
