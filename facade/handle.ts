import type { GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { type Execution, execute } from '../schema/execute.ts';
import { requireScope } from '../src/access/authorize.ts';
import { type KeyPrincipal, NOBODY } from '../src/access/principal.ts';
import { AnswerRight } from '../src/kernel/answerRight.ts';
import type { CodedError } from '../src/kernel/errors.ts';
import type { Admission } from './admit.ts';
import { bind } from './bind.ts';
import { type CompiledRoute, keepsAnswers } from './compileRoute.ts';
import { bodyOfKnownInstall, countApp } from './countApp.ts';
import { once, questionOf } from './once.ts';
import { type Body, NO_BODY, readBody } from './readBody.ts';
import { answerOf, respond, respondStream } from './respond.ts';
import { streamCsv } from './streamCsv.ts';
import { withinDeadline } from './withinDeadline.ts';

/** The one handler of every row, its steps in the order in which the contract decides errors. */
export function handle(route: CompiledRoute, schema: GraphQLSchema) {
  return async (ctx: Koa.Context, path: Record<string, string>, admission: Admission): Promise<void> => {
    const { principal, excess } = admission;
    const early = excess && (await bodyOfKnownInstall(ctx, route, admission));
    if (excess && !early) return refuse(ctx, route, schema, excess, principal);
    if (principal && route.scope) requireScope(principal.scopes, route.scope);
    const body = early ?? (await readBody(ctx.req, route));
    try {
      const sent = { path, query: new URLSearchParams(ctx.querystring), body: body.value };
      const variables = await bind(route, sent, principal);
      const spent = route.counts && principal ? await countApp(ctx, route, body.value, principal) : null;
      if (spent) return await refuse(ctx, route, schema, spent, principal);
      const execution = executionOf(ctx, route, schema, variables, principal, body);
      const right = new AnswerRight();
      ctx.state.right = right;
      if (route.bodyType) ctx.res.once('close', () => right.leave());
      await withinDeadline(right, () => act(ctx, route, principal, body, execution));
    } finally {
      await body.upload?.remove();
    }
  };
}

/** Throws what a used-up quota is refused with, unless the row has an answer for that. */
async function refuse(
  ctx: Koa.Context,
  route: CompiledRoute,
  schema: GraphQLSchema,
  excess: CodedError,
  principal: KeyPrincipal | null,
): Promise<void> {
  if (!route.compiledOverQuota || !principal) throw excess;
  ctx.set('Retry-After', String(excess.retryAfterSeconds));
  const execution = executionOf(ctx, route, schema, {}, principal, NO_BODY);
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
  const question = principal && keepsAnswers(route) ? questionOf(ctx, principal.keyId, body.sha256) : null;
  if (!question) return respond(ctx, await answer());
  await once(ctx, question, route, async () => {
    const { status, contentType, body: text } = await answer();
    return { status, contentType, body: text.toString() };
  });
}

function executionOf(
  ctx: Koa.Context,
  route: CompiledRoute,
  schema: GraphQLSchema,
  variables: Record<string, unknown>,
  principal: KeyPrincipal | null,
  { upload }: Body,
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
      validated: true,
      ...(upload ? { upload } : {}),
    },
  };
}
