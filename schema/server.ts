import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { koaMiddleware } from '@as-integrations/koa';
import { bodyParser } from '@koa/bodyparser';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { NOBODY, type Principal } from '../src/access/principal.ts';
import { CodedError } from '../src/kernel/errors.ts';
import { log } from '../src/kernel/log.ts';
import { isDeeperThan, MAX_NESTING } from '../src/kernel/nesting.ts';
import { sessionPrincipal } from '../src/services/accounts/sessions.ts';
import { type Context, createContext } from './context.ts';
import { costLimit, depthRule, MAX_TOKENS } from './limits.ts';
import { maskError } from './maskError.ts';
import { readSessionCookie, writeSessionCookie } from './sessionCookie.ts';

/** Codes of Apollo's own refusals (syntax, unknown fields, CSRF, …), which say nothing about our insides. */
const APOLLO_CODES = /^(GRAPHQL_|BAD_|PERSISTED_|OPERATION_RESOLUTION_|query_too_costly)/;

/** Middleware that answers /graphql: the dashboard's API, for session cookies alone; and its stop. */
export async function startGraphqlServer(
  schema: GraphQLSchema,
): Promise<{ middleware: Koa.Middleware[]; stop(): Promise<void> }> {
  const server = new ApolloServer<Context>({
    schema,
    csrfPrevention: true,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: MAX_TOKENS },
    validationRules: [depthRule],
    plugins: [costLimit, requestIdInErrors, ApolloServerPluginLandingPageDisabled()],
    formatError: (formatted, error) => formatError(formatted, error),
    logger: { debug() {}, info() {}, warn: (message) => log.warn(message), error: (message) => log.error(message) },
  });
  await server.start();
  const answer = koaMiddleware(server, { context: async ({ ctx }) => contextOf(ctx) });
  return {
    middleware: [
      bodyParser({ enableTypes: ['json'], jsonLimit: '1mb', onError: refuseBody }),
      refuseDeepBodies,
      (ctx) => answer(ctx as never, async () => {}),
    ],
    stop: () => server.stop(),
  };
}

async function contextOf(ctx: Koa.Context): Promise<Context> {
  const token = readSessionCookie(ctx);
  const principal: Principal = (token ? await sessionPrincipal(token) : null) ?? NOBODY;
  return createContext({
    principal,
    requestId: ctx.state.requestId,
    validated: false,
    clientAddress: ctx.state.clientAddress,
    userAgent: ctx.get('User-Agent'),
    setSession: (value) => writeSessionCookie(ctx, value),
  });
}

/** Names the request in every error, so that it can be found in the log. */
const requestIdInErrors: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async willSendResponse({ contextValue, response }) {
        if (response.body.kind !== 'single') return;
        for (const error of response.body.singleResult.errors ?? []) {
          Object.assign(error.extensions ?? {}, { requestId: contextValue.requestId });
        }
      },
    };
  },
};

function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const place = {
    ...(formatted.path ? { path: formatted.path } : {}),
    ...(formatted.locations ? { locations: formatted.locations } : {}),
  };
  const code = String(formatted.extensions?.code ?? '');
  if (APOLLO_CODES.test(code)) return { message: formatted.message, ...place, extensions: { code } };
  const coded = maskError(error, '');
  const extensions = { code: coded.code, ...(coded.fields ? { fields: coded.fields } : {}) };
  return { message: coded.message, ...place, extensions };
}

function refuseBody(error: Error & { type?: string; status?: number }): never {
  if (error.status === 413) throw new CodedError('payload_too_large', 'The query is larger than 1 MiB.');
  throw new CodedError('invalid_json', 'The body is not JSON.');
}

/** Variables are walked with the stack further in. */
const refuseDeepBodies: Koa.Middleware = (ctx, next) => {
  const body: unknown = ctx.request.body;
  if (body === null || typeof body !== 'object' || !isDeeperThan(body, MAX_NESTING)) return next();
  throw new CodedError('invalid_json', `The body nests deeper than ${MAX_NESTING} levels.`);
};
