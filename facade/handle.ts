import type { GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { type Execution, execute } from '../schema/execute.ts';
import { requireScope } from '../src/access/authorize.ts';
import { type KeyPrincipal, NOBODY } from '../src/access/principal.ts';
import { config } from '../src/kernel/config.ts';
import { withTimeout } from '../src/kernel/deadline.ts';
import { CodedError, type FieldProblem } from '../src/kernel/errors.ts';
import { RequestOutcome, withOutcome } from '../src/kernel/requestOutcome.ts';
import { bodyOfKnownInstall, countAppCall } from './appQuotas.ts';
import type { Admission } from './authenticate.ts';
import { bind } from './bind.ts';
import { answerIdempotently, idempotencyKeyOf } from './idempotency.ts';
import { type Body, readBody } from './readBody.ts';
import { answerOf, respond, respondStream, streamCsv } from './respond.ts';
import { type CompiledRoute, keepsAnswers } from './route.ts';

/** The handler of every route. Its steps have the order in which the contract reports errors. */
export function handle(route: CompiledRoute, schema: GraphQLSchema) {
  return async (ctx: Koa.Context, path: Record<string, string>, admission: Admission): Promise<void> => {
    const { principal, excess } = admission;
    const early = excess && (await bodyOfKnownInstall(ctx, route, admission));
    if (excess && !early) return refuse(ctx, route, schema, excess, principal);
    if (principal && route.scope) requireScope(principal.scopes, route.scope);
    const body = early ?? (await readBody(ctx.req, route));
    try {
      const sent = { path, query: new URLSearchParams(ctx.querystring), body: body.value };
      const { variables, problems } = bind(route, sent, principal);
      const execution = executionOf(ctx, route, schema, { variables, problems, principal, upload: body.upload });
      // `execute` refuses it.
      if (problems.length > 0) return void (await execute(execution));
      const spent = route.counts && principal ? await countAppCall(ctx, route, body.value, principal) : null;
      if (spent) return await refuse(ctx, route, schema, spent, principal);
      const outcome = new RequestOutcome();
      ctx.state.outcome = outcome;
      if (route.bodyType) ctx.res.once('close', () => outcome.abandon());
      await withinDeadline(outcome, () => act(ctx, route, principal, body, execution));
    } finally {
      await body.upload?.remove();
    }
  };
}

/** Throws the error of a used-up quota, unless the route has a response for that case. */
async function refuse(
  ctx: Koa.Context,
  route: CompiledRoute,
  schema: GraphQLSchema,
  excess: CodedError,
  principal: KeyPrincipal | null,
): Promise<void> {
  if (!route.compiledOverQuota || !principal) throw excess;
  ctx.set('Retry-After', String(excess.retryAfterSeconds));
  const execution = executionOf(ctx, route, schema, { variables: {}, problems: [], principal, upload: null });
  respond(ctx, await answerOf(route, await execute({ ...execution, document: route.compiledOverQuota })));
}

async function act(
  ctx: Koa.Context,
  route: CompiledRoute,
  principal: KeyPrincipal | null,
  body: Body,
  execution: Execution,
): Promise<void> {
  if (route.answer === 'csv') return respondStream(ctx, await streamCsv(execution), route.id);
  const answer = async () => answerOf(route, await execute(execution));
  const request = principal && keepsAnswers(route) ? idempotencyKeyOf(ctx, principal.keyId, body.sha256) : null;
  if (!request) return respond(ctx, await answer());
  await answerIdempotently(ctx, request, route, async () => {
    const { status, contentType, body: text } = await answer();
    return { status, contentType, body: text.toString() };
  });
}

interface Asked extends Pick<Body, 'upload'> {
  variables: Record<string, unknown>;
  problems: FieldProblem[];
  principal: KeyPrincipal | null;
}

function executionOf(
  ctx: Koa.Context,
  route: CompiledRoute,
  schema: GraphQLSchema,
  { variables, problems, principal, upload }: Asked,
): Execution {
  const { requestId, clientAddress } = ctx.state;
  return {
    schema,
    document: route.compiled,
    variables,
    context: {
      principal: principal ?? NOBODY,
      requestId,
      clientAddress,
      problems,
      ...(upload ? { upload } : {}),
    },
  };
}

/**
 * Limits a request to REQUEST_SECONDS. After that it is refused with `unavailable` and has no effect. If it is about to
 * commit, or has committed, its own response gets as much time again.
 */
async function withinDeadline(outcome: RequestOutcome, work: () => Promise<void>): Promise<void> {
  const milliseconds = config.requestSeconds * 1000;
  const answering = withOutcome(outcome, work);
  let late: CodedError | undefined;
  // Creating an error costs more than most other steps of a request, so it happens only when needed.
  const makeLate = () => {
    late = tooLate();
    return late;
  };
  try {
    await withTimeout(answering, milliseconds, makeLate);
  } catch (error) {
    if (error !== late || outcome.refuse()) throw error;
    await withTimeout(answering, milliseconds, unknown);
  }
}

function tooLate(): CodedError {
  const message = 'The request took too long and was cancelled. Nothing was changed. Try again in a few seconds.';
  return new CodedError('unavailable', message, { retryAfterSeconds: 5 });
}

function unknown(): CodedError {
  const message =
    'The store did not confirm in time whether the change took effect. Retry with the same Idempotency-Key, or check before you retry.';
  return new CodedError('unavailable', message, { retryAfterSeconds: 5 });
}
