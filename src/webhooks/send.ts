import { clock } from '../kernel/clock.ts';
import { PauseWatch } from '../kernel/deadline.ts';
import { type RequestProblem, requestProblem } from '../net/connect.ts';
import { type Resolver, systemResolver } from '../net/dns.ts';
import type { Answer } from './answer.ts';
import { ConnectionPool, type OutgoingRequest } from './connection.ts';
import { type AttemptResult, retryAfterSeconds } from './decideOutcome.ts';
import { Destinations } from './target.ts';

export interface SenderOptions {
  /** One deadline for the whole request, from the call to the last byte. */
  timeoutMs: () => number;
  allowPrivate: () => boolean;
  resolver?: Resolver;
  /** Owned by the sender, which closes it. */
  pauses?: Pick<PauseWatch, 'hasPausedSince' | 'close'>;
}

/** The process was paused during a request without an answer, so the receiver may not be at fault. */
export class ProcessPaused extends Error {
  constructor(problem: RequestProblem) {
    super(`This process was paused for more than a second during a request that ended with "${problem}"`);
  }
}

/** Problems that a pause of this process can cause: the receiver hangs up, or our own timers fire. */
const CAUSED_BY_PAUSE: readonly RequestProblem[] = ['dns', 'connect', 'tls', 'timeout', 'reset'];

export interface SendRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface Sender {
  /** Makes one request. Failures of the receiver or the network are results; rejects only for faults of ours. */
  send(request: SendRequest): Promise<AttemptResult>;
  /** Waits for the requests in flight and ends the idle connections. Safe to call twice. */
  close(): Promise<void>;
}

/** Sends only to public addresses (unless `allowPrivate`), follows no redirects and limits what it reads. */
export function createSender({
  timeoutMs,
  allowPrivate,
  resolver = systemResolver,
  pauses = new PauseWatch(),
}: SenderOptions): Sender {
  const connections = new ConnectionPool(() => ({ resolver, allowPrivate: allowPrivate() }));
  const destinations = new Destinations();
  const inFlight = new Set<Promise<AttemptResult>>();
  let isClosed = false;

  return {
    async send({ url, headers, body }) {
      if (isClosed) throw new Error('The sender is closed');
      const startedAt = performance.now();
      // The URL was checked when the webhook was saved, but the rules may have become stricter since.
      const { origin, path, problem } = destinations.of(url, { allowPrivate: allowPrivate() });
      if (problem) return unanswered('blocked_address', startedAt);
      const request = { path, headers, body };
      const attempt = attemptOnce(origin, request, connections, { startedAt, timeoutMs: timeoutMs(), pauses });
      inFlight.add(attempt);
      try {
        return await attempt;
      } finally {
        inFlight.delete(attempt);
      }
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(inFlight);
      await connections.close();
      pauses.close();
    },
  };
}

interface AttemptOptions extends Required<Pick<SenderOptions, 'pauses'>> {
  startedAt: number;
  timeoutMs: number;
}

async function attemptOnce(
  origin: string,
  request: OutgoingRequest,
  connections: ConnectionPool,
  { startedAt, timeoutMs, pauses }: AttemptOptions,
): Promise<AttemptResult> {
  const deadline = new AbortController();
  let last: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // After a pause the answer may have arrived and not been read yet. The event loop reads the sockets before the first
    // immediate, and reports those that ended before the second.
    last = setImmediate(() => {
      last = setImmediate(() => deadline.abort());
    });
  }, timeoutMs);
  const problemOf = (error: unknown) => {
    const problem = requestProblem(error, deadline.signal);
    if (CAUSED_BY_PAUSE.includes(problem) && pauses.hasPausedSince(startedAt)) throw new ProcessPaused(problem);
    return problem;
  };
  try {
    const answer = await ask(origin, request, connections, deadline.signal).catch(problemOf);
    return typeof answer === 'string' ? unanswered(answer, startedAt) : answered(answer, problemOf, startedAt);
  } finally {
    clearTimeout(timer);
    clearImmediate(last);
  }
}

/**
 * Sends the request. A receiver may close an idle connection at the moment when it is used again; the request is then sent
 * once more over a new one.
 */
async function ask(
  origin: string,
  request: OutgoingRequest,
  connections: ConnectionPool,
  deadline: AbortSignal,
): Promise<Answer> {
  const first = connections.take(origin, deadline);
  try {
    return await first.post(request);
  } catch (error) {
    if (!first.wasStale || requestProblem(error, deadline) !== 'reset') throw error;
  } finally {
    connections.giveBack(first);
  }
  const second = connections.open(origin, deadline);
  try {
    return await second.post(request);
  } finally {
    connections.giveBack(second);
  }
}

function answered(answer: Answer, problemOf: (error: Error) => RequestProblem, startedAt: number): AttemptResult {
  const { statusCode, headers, text, failure, retryAfter } = answer;
  const succeeded = statusCode >= 200 && statusCode < 300;
  return {
    statusCode,
    responseHeaders: headers,
    responseBody: text,
    error: failure ? problemOf(failure) : succeeded ? null : 'status',
    durationMs: millisecondsSince(startedAt),
    retryAfterSeconds: retryAfterSeconds(retryAfter, statusCode, clock.now()),
  };
}

function unanswered(error: AttemptResult['error'], startedAt: number): AttemptResult {
  return {
    statusCode: null,
    responseHeaders: null,
    responseBody: null,
    error,
    durationMs: millisecondsSince(startedAt),
    retryAfterSeconds: null,
  };
}

function millisecondsSince(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
