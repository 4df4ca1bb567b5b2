import type { Readable } from 'node:stream';
import type { GraphQLSchema } from 'graphql';
import { type Execution, execute } from '../schema/execute.ts';
import { requireScope } from '../src/access/authorize.ts';
import { rehearseRequest } from '../src/access/idempotency.ts';
import { type KeyPrincipal, NOBODY } from '../src/access/principal.ts';
import { CodedError } from '../src/kernel/errors.ts';
import { RequestOutcome } from '../src/kernel/requestOutcome.ts';
import { EVENT_STREAM_TYPE } from '../src/kernel/serverSentEvents.ts';
import { bind } from './bind.ts';
import { answerIdempotently, idempotentRequestOf } from './idempotency.ts';
import type { Body } from './readBody.ts';
import { type Answer, answerOf, streamCsv } from './respond.ts';
import { type CompiledRoute, keepsAnswers } from './route.ts';
import { withinDeadline } from './withinDeadline.ts';

/** The parts of a request, unchecked. */
export interface Asked {
  /** The variables of the path, decoded. */
  path: Record<string, string>;
  query: URLSearchParams;
  body: Body;
  /** Path and query as they were sent: a retry with the same `Idempotency-Key` must have the same. */
  target: string;
  /** The header `Idempotency-Key` as it was sent. */
  idempotencyKey?: string | undefined;
}

/** Opens the stream of events that the arguments of the operation ask for. Throws coded errors. */
export type OpenStream = (principal: KeyPrincipal, args: Record<string, unknown>) => Promise<Readable>;

/** Who asks: authenticated and counted against the quotas of requests. */
export interface Caller {
  principal: KeyPrincipal | null;
  requestId: string;
  clientAddress: string;
  /** Decides whether the request still counts; the caller abandons it when its client leaves. */
  outcome?: RequestOutcome;
  /** Opens streams of events; without it there are none here. */
  openStream?: OpenStream | undefined;
  /** Counts a valid request against further quotas. Returns `rate_limited` when one is used up. */
  spend?: () => Promise<CodedError | null>;
}

/**
 * Carries out one operation: the door of HTTP and of every other surface behind admission. Its steps have the order in
 * which the contract reports errors. Throws coded errors, except for a refusal that is stored for retries: that is an answer.
 */
export async function perform(
  route: CompiledRoute,
  schema: GraphQLSchema,
  asked: Asked,
  caller: Caller,
): Promise<Answer> {
  const { principal } = caller;
  if (principal && route.scope) requireScope(principal.scopes, route.scope);
  const sent = { path: asked.path, query: asked.query, body: asked.body.value };
  const { variables, problems, isDryRun } = bind(route, sent, principal);
  const execution = executionOf(route, schema, caller, { variables, problems, upload: asked.body.upload });
  // `execute` refuses it.
  if (problems.length > 0) await execute(execution);
  const spent = await caller.spend?.();
  if (spent) return performOverQuota(route, schema, spent, caller);
  const outcome = caller.outcome ?? new RequestOutcome();
  return withinDeadline(outcome, () => act(route, asked, caller, execution, isDryRun));
}

/** The answer of a route for a used-up quota. Throws the error of the quota where the route has none. */
export async function performOverQuota(
  route: CompiledRoute,
  schema: GraphQLSchema,
  excess: CodedError,
  caller: Caller,
): Promise<Answer> {
  if (!route.compiledOverQuota || !caller.principal) throw excess;
  const execution = executionOf(route, schema, caller, { variables: {}, problems: [], upload: null });
  const answer = await answerOf(route, await execute({ ...execution, document: route.compiledOverQuota }));
  return { ...answer, retryAfterSeconds: excess.retryAfterSeconds };
}

async function act(
  route: CompiledRoute,
  asked: Asked,
  { principal, requestId, openStream }: Caller,
  execution: Execution,
  isDryRun: boolean,
): Promise<Answer> {
  if (route.answer === 'stream') return streamEvents(execution, principal, openStream);
  if (route.answer === 'csv') return streamCsv(execution, route.id);
  const answer = async () => answerOf(route, await execute(execution));
  if (isDryRun) return { ...(await rehearseRequest(answer)), isDryRun };
  const request = principal && keepsAnswers(route) ? idempotentRequestOf(route, asked, principal.keyId) : null;
  return request ? answerIdempotently(request, route, requestId, answer) : answer();
}

async function streamEvents(
  { variables }: Execution,
  principal: KeyPrincipal | null,
  openStream: OpenStream | undefined,
): Promise<Answer> {
  if (!openStream || !principal) throw new CodedError('unavailable', 'There are no streams here; use GET /events.');
  return { status: 200, contentType: EVENT_STREAM_TYPE, body: await openStream(principal, variables) };
}

type Run = Pick<Execution, 'variables'> & Pick<Execution['context'], 'problems'> & Pick<Body, 'upload'>;

function executionOf(
  route: CompiledRoute,
  schema: GraphQLSchema,
  { principal, requestId, clientAddress }: Caller,
  { variables, problems, upload }: Run,
): Execution {
  return {
    schema,
    document: route.compiled,
    variables,
    context: {
      principal: principal ?? NOBODY,
      requestId,
      clientAddress,
      ...(problems ? { problems } : {}),
      ...(upload ? { upload } : {}),
    },
  };
}
