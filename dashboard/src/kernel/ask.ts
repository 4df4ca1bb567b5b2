import { print } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import { type FieldProblem, GraphqlError } from './GraphqlError.ts';
import { setReach } from './reach.ts';

const ENDPOINT = '/graphql';

/** Longer than any answer of the server, which gives up earlier itself. */
const TIMEOUT_MS = 60_000;

interface Answer<Data> {
  data?: Data | null;
  errors?: {
    message: string;
    extensions?: { code?: string; requestId?: string; fields?: FieldProblem[]; retryAfterSeconds?: number };
  }[];
}

const printed = new WeakMap<object, string>();

/**
 * Sends an operation with the session's cookie and gives its data. Throws a GraphqlError; a session that has ended is told to
 * `onSessionEnd` as well.
 */
export async function ask<Data, Variables>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const response = await send(JSON.stringify({ query: textOf(document), variables }), signal);
  const answer = await readAnswer<Data>(response, signal);
  const error = answer.errors?.[0];
  if (!error && answer.data) return answer.data;
  const { code = 'unexpected', requestId, fields, retryAfterSeconds } = error?.extensions ?? {};
  if (code === 'not_signed_in') sessionEnded();
  if (code === 'team_read_only' || code === 'insufficient_scope') rightsChanged();
  throw new GraphqlError(error?.message ?? 'The answer was empty.', {
    code,
    fields,
    requestId: requestId ?? response.headers.get('X-Request-Id'),
    retryAfterSeconds: retryAfterSeconds ?? (Number(response.headers.get('Retry-After')) || null),
  });
}

/** The smallest question there is, to find out whether the service answers. */
export async function askReach(): Promise<void> {
  await readAnswer(await send(JSON.stringify({ query: '{ __typename }' })));
}

/** Registers what happens when the server no longer knows the session. */
export function onSessionEnd(listener: () => void): void {
  sessionEnded = listener;
}

let sessionEnded = () => {};

/** Registers what happens when somebody may no longer do what the page offered. */
export function onRightsChange(listener: () => void): void {
  rightsChanged = listener;
}

let rightsChanged = () => {};

function textOf(document: object): string {
  const known = printed.get(document);
  if (known !== undefined) return known;
  const text = print(document as Parameters<typeof print>[0]);
  printed.set(document, text);
  return text;
}

async function send(body: string, signal?: AbortSignal): Promise<Response> {
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])];
  try {
    return await fetch(ENDPOINT, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body,
      signal: AbortSignal.any(signals),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable();
  }
}

async function readAnswer<Data>(response: Response, signal?: AbortSignal): Promise<Answer<Data>> {
  try {
    const answer = await response.json();
    setReach(true);
    return answer;
  } catch (error) {
    if (signal?.aborted) throw error;
    // A proxy in front of a server that restarts answers with a page of its own.
    throw unreachable();
  }
}

function unreachable(): GraphqlError {
  setReach(false);
  return new GraphqlError('The service does not answer.', { code: 'unreachable' });
}
