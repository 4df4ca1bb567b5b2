import type { GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { type Execution, execute } from '../schema/execute.ts';
import { requireScope } from '../src/access/authorize.ts';
import { type KeyPrincipal, NOBODY } from '../src/access/principal.ts';
import { bind } from './bind.ts';
import type { CompiledRoute } from './compileRoute.ts';
import { once, questionOf } from './once.ts';
import { type Body, readBody } from './readBody.ts';
import { answerOf, respond, respondStream } from './respond.ts';
import { streamCsv } from './streamCsv.ts';
import { withinDeadline } from './withinDeadline.ts';

/** The one handler of every row, its steps in the order in which the contract decides errors. */
export function handle(route: CompiledRoute, schema: GraphQLSchema) {
  return async (ctx: Koa.Context, path: Record<string, string>, principal: KeyPrincipal | null): Promise<void> => {
    if (principal && route.scope) requireScope(principal.scopes, route.scope);
    const body = await readBody(ctx.req, route);
    try {
      const sent = { path, query: new URLSearchParams(ctx.querystring), body: body.value };
      const variables = await bind(route, sent, principal);
      await withinDeadline(
        act(ctx, route, principal, body, executionOf(ctx, route, schema, variables, principal, body)),
      );
    } finally {
      await body.upload?.remove();
    }
  };
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
  const question = principal && route.method === 'POST' ? questionOf(ctx, principal.keyId, body.sha256) : null;
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
