import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { koaMiddleware } from '@as-integrations/koa';
import { bodyParser } from '@koa/bodyparser';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { NOBODY, type Principal } from '../src/access/principal.ts';
import { addressSubject, consumeQuotas, quotaHeaders, tooManyRequests } from '../src/access/quotas.ts';
import { sessionPrincipal } from '../src/accounts/sessionService.ts';
import { config } from '../src/kernel/config.ts';
import { CodedError } from '../src/kernel/errors.ts';
import { awaitBody, closeAfterResponse, isFromThisMachine } from '../src/kernel/incomingRequest.ts';
import { log } from '../src/kernel/log.ts';
import { isDeeperThan, MAX_NESTING } from '../src/kernel/wire.ts';
import {
  readKnownBrowsers,
  readSessionCookie,
  refuseOtherSites,
  writeKnownBrowsers,
  writeSessionCookie,
} from './browserSession.ts';
import { compressAnswer, noteSecrets } from './compressAnswer.ts';
import { type Context, createContext } from './context.ts';
import { maskError } from './execute.ts';
import { graphiqlPage } from './graphiql.ts';
import { costLimit, MAX_TOKENS, refusalOf } from './limits.ts';

/** Codes of Apollo's own errors (syntax, unknown fields, CSRF, …), which reveal nothing internal. */
const APOLLO_CODES = /^(GRAPHQL_|BAD_|PERSISTED_|OPERATION_RESOLUTION_|query_too_costly)/;

/** The largest body without a session: the forms of the sign-in pages have a few hundred bytes. */
const STRANGERS_BODY = '16kb';
const BODY = '1mb';

/**
 * What comes before every path below /graphql: errors in the form of GraphQL, the session, its quota, and no requests that
 * other sites make a browser send.
 */
export const sessionSteps = (): Koa.Middleware[] => [graphqlProblem, admitSession];

/** The middleware of /graphql, the API of the dashboard, which accepts only session cookies. */
export async function startGraphqlServer(
  schema: GraphQLSchema,
): Promise<{ middleware: Koa.Middleware[]; stop(): Promise<void> }> {
  const server = new ApolloServer<Context>({
    schema,
    csrfPrevention: true,
    // `refusalOf` decides who may use introspection.
    introspection: true,
    allowBatchedHttpRequests: false,
    // A persisted document, sent as a hash, would bypass these checks.
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: MAX_TOKENS },
    plugins: [costLimit, requestIdInErrors, noteSecrets, ApolloServerPluginLandingPageDisabled()],
    formatError: (formatted, error) => formatError(formatted, error),
    logger: { debug() {}, info() {}, warn: (message) => log.warn(message), error: (message) => log.error(message) },
  });
  await server.start();
  const answer = koaMiddleware(server, { context: async ({ ctx }) => contextOf(ctx) });
  return {
    middleware: [
      ...sessionSteps(),
      ...(config.graphiql ? [await graphiqlPage()] : []),
      readBody,
      refuseDeepBodies,
      refuseCostlyDocuments,
      compressAnswer,
      (ctx) => answer(ctx as never, async () => {}),
    ],
    stop: () => server.stop(),
  };
}

function contextOf(ctx: Koa.Context): Context {
  return createContext({
    principal: ctx.state.principal,
    requestId: ctx.state.requestId,
    clientAddress: ctx.state.clientAddress,
    isFromThisMachine: isFromThisMachine(ctx.req),
    userAgent: ctx.get('User-Agent'),
    setSession: (value) => writeSessionCookie(ctx, value),
    knownBrowsers: readKnownBrowsers(ctx),
    setKnownBrowsers: (value) => writeKnownBrowsers(ctx, value),
    allowCompression: () => {
      ctx.state.isCompressible = true;
    },
  });
}

/** Adds the request id to every error, to find it in the log. */
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
  return { message: coded.message, ...place, extensions: extensionsOf(coded) };
}

/** Several fields of one answer can be refused, so the time to wait stands with the error as well as in the header. */
function extensionsOf({ code, fields, retryAfterSeconds }: CodedError): Record<string, unknown> {
  return {
    code,
    ...(fields
      ? { fields: fields.map((field) => ({ ...field, rule: field.rule ?? null, limit: field.limit ?? null })) }
      : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** Returns errors in the form of GraphQL, including those before GraphQL runs. */
const graphqlProblem: Koa.Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (thrown) {
    const { requestId } = ctx.state;
    const coded = maskError(thrown, requestId);
    const { message, status, retryAfterSeconds } = coded;
    ctx.status = status;
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
    if (status === 408) closeAfterResponse(ctx.req, ctx.res);
    ctx.body = { errors: [{ message, extensions: { ...extensionsOf(coded), requestId } }] };
  }
};

/** Loads the session and counts the request against its quota. Requests without a session are counted by address. */
export const admitSession: Koa.Middleware = async (ctx, next) => {
  refuseOtherSites(ctx.headers);
  const token = readSessionCookie(ctx);
  const principal: Principal = (token ? await sessionPrincipal(token) : null) ?? NOBODY;
  ctx.state.principal = principal;
  const [state] = await consumeQuotas([
    principal.kind === 'session'
      ? ['session', principal.tokenHash]
      : ['address', addressSubject(ctx.state.clientAddress)],
  ]);
  if (state) ctx.set(quotaHeaders(state));
  if (state?.isExceeded) throw tooManyRequests(state);
  return next();
};

const strangersBody = bodyParser({ enableTypes: ['json'], jsonLimit: STRANGERS_BODY, onError: refuseBody });
const sessionsBody = bodyParser({ enableTypes: ['json'], jsonLimit: BODY, onError: refuseBody });

const readBody: Koa.Middleware = async (ctx, next) => {
  const parse = ctx.state.principal.kind === 'session' ? sessionsBody : strangersBody;
  await awaitBody(ctx.req, config.requestSeconds, Promise.resolve(parse(ctx, async () => {})));
  return next();
};

function refuseBody(error: Error & { type?: string; status?: number; limit?: number }): never {
  if (error.status === 413) {
    throw new CodedError('payload_too_large', `The query is larger than ${Number(error.limit) / 1024} KiB.`);
  }
  throw new CodedError('invalid_json', 'The body is not JSON.');
}

/** Deep variables would overflow the stack later. */
const refuseDeepBodies: Koa.Middleware = (ctx, next) => {
  const body: unknown = ctx.request.body;
  if (body === null || typeof body !== 'object' || !isDeeperThan(body, MAX_NESTING)) return next();
  throw new CodedError('invalid_json', `The body nests deeper than ${MAX_NESTING} levels.`);
};

/** Refuses documents that are expensive to validate. Apollo refuses anything that is not a document. */
const refuseCostlyDocuments: Koa.Middleware = (ctx, next) => {
  // Not `ctx.query`, whose cost is quadratic in the number of parameters.
  const query =
    ctx.method === 'POST'
      ? (ctx.request.body as { query?: unknown } | undefined)?.query
      : new URLSearchParams(ctx.querystring).get('query');
  const refusal = typeof query === 'string' ? refusalOf(query, ctx.state.principal.kind === 'session') : null;
  if (!refusal) return next();
  const { code } = refusal.extensions;
  ctx.status = 400;
  ctx.body = { errors: [{ message: refusal.message, extensions: { code, requestId: ctx.state.requestId } }] };
};
