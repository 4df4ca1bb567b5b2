import { clock } from '../kernel/clock.ts';
import { keptHeaders, readBody } from './answer.ts';
import type { AttemptResult } from './attempt.ts';
import { attemptError } from './attemptError.ts';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import { type Resolver, systemResolver } from './resolver.ts';
import { retryAfterSeconds } from './schedule.ts';
import { targetProblem } from './target.ts';

export interface SenderOptions {
  /** One deadline from connecting to the last byte. */
  timeoutMs: () => number;
  allowPrivate: () => boolean;
  resolver?: Resolver;
}

export interface SendRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface Sender {
  /** Makes one attempt. What the outside world does is in the result; rejects only for faults of ours. */
  send(request: SendRequest): Promise<AttemptResult>;
  /** Waits for the requests under way and ends the idle connections. Can be called twice. */
  close(): Promise<void>;
}

/** Sends webhooks to public addresses alone (unless `allowPrivate`), follows no redirect and bounds what it reads. */
export function createSender({ timeoutMs, allowPrivate, resolver = systemResolver }: SenderOptions): Sender {
  const connections = new Connections(() => ({ resolver, allowPrivate: allowPrivate() }));
  const underWay = new Set<Promise<AttemptResult>>();
  let isClosed = false;

  return {
    async send(request) {
      if (isClosed) throw new Error('The sender is closed');
      const attempt = makeAttempt(request, connections, { timeoutMs: timeoutMs(), allowPrivate: allowPrivate() });
      underWay.add(attempt);
      return attempt.finally(() => underWay.delete(attempt));
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
      await connections.close();
    },
  };
}

const NO_ANSWER = { statusCode: null, responseHeaders: null, responseBody: null, retryAfterSeconds: null };

async function makeAttempt(
  request: SendRequest,
  connections: Connections,
  { timeoutMs, allowPrivate }: { timeoutMs: number; allowPrivate: boolean },
): Promise<AttemptResult> {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  // The rules may have become stricter since the webhook was saved.
  if (targetProblem(request.url, { allowPrivate, ownHosts: [] })) {
    return { ...NO_ANSWER, error: 'blocked_address', durationMs: durationMs() };
  }
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    const answer = await ask(request, connections, deadline.signal);
    return { ...answer, durationMs: durationMs() };
  } catch (error) {
    return { ...NO_ANSWER, error: attemptError(error, deadline.signal), durationMs: durationMs() };
  } finally {
    clearTimeout(timer);
  }
}

/** A receiver may close an idle connection just as it is used again: that is nobody's failure, so it is dialled anew, once. */
async function ask(request: SendRequest, connections: Connections, deadline: AbortSignal) {
  const { origin } = new URL(request.url);
  const first = connections.take(origin, deadline);
  try {
    return await exchange(request, first, deadline);
  } catch (error) {
    if (!first.wasStale || attemptError(error, deadline) !== 'reset') throw error;
  } finally {
    connections.giveBack(first);
  }
  const second = connections.open(origin, deadline);
  try {
    return await exchange(request, second, deadline);
  } finally {
    connections.giveBack(second);
  }
}

async function exchange({ url, headers, body }: SendRequest, { client }: Connection, signal: AbortSignal) {
  const { pathname, search } = new URL(url);
  const { statusCode, ...response } = await client.request({
    method: 'POST',
    path: `${pathname}${search}`,
    // What is stored of the answer is its text, so it must not come compressed.
    headers: { ...headers, 'Accept-Encoding': 'identity' },
    body,
    signal,
  });
  const { text, failure } = await readBody(response.body);
  const responseHeaders = keptHeaders(response.headers);
  const succeeded = statusCode >= 200 && statusCode < 300;
  const error = failure ? attemptError(failure, signal) : succeeded ? null : ('status' as const);
  return {
    statusCode,
    responseHeaders,
    responseBody: text,
    error,
    retryAfterSeconds: retryAfterSeconds(String(response.headers['retry-after'] ?? ''), statusCode, clock.now()),
  };
}
