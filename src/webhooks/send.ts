import { clock } from '../kernel/clock.ts';
import { PauseWatch } from '../kernel/PauseWatch.ts';
import { type RequestProblem, requestProblem } from '../net/requestProblem.ts';
import { type Resolver, systemResolver } from '../net/resolver.ts';
import type { Answer } from './answer.ts';
import type { AttemptResult } from './attempt.ts';
import type { OutgoingRequest } from './connection.ts';
import { Connections } from './connections.ts';
import { Destinations } from './destinations.ts';
import { retryAfterSeconds } from './schedule.ts';

export interface SenderOptions {
  /** One deadline from the call to the last byte. */
  timeoutMs: () => number;
  allowPrivate: () => boolean;
  resolver?: Resolver;
  /** Belongs to the sender, which closes it. */
  pauses?: Pick<PauseWatch, 'hasPausedSince' | 'close'>;
}

/** The process stood still during a request that got no answer, so that nobody knows whose fault that was. */
export class StoodStill extends Error {
  constructor(problem: RequestProblem) {
    super(`This process stood still for more than a second during a request that ended with "${problem}"`);
  }
}

/** What a receiver does to a client that does not move, or our own timers do to a receiver. */
const OF_A_PAUSE: readonly RequestProblem[] = ['dns', 'connect', 'tls', 'timeout', 'reset'];

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
export function createSender({
  timeoutMs,
  allowPrivate,
  resolver = systemResolver,
  pauses = new PauseWatch(),
}: SenderOptions): Sender {
  const connections = new Connections(() => ({ resolver, allowPrivate: allowPrivate() }));
  const destinations = new Destinations();
  const underWay = new Set<Promise<AttemptResult>>();
  let isClosed = false;

  return {
    async send({ url, headers, body }) {
      if (isClosed) throw new Error('The sender is closed');
      const startedAt = performance.now();
      // The rules may have become stricter since the webhook was saved.
      const { origin, path, problem } = destinations.of(url, { allowPrivate: allowPrivate() });
      if (problem) return unanswered('blocked_address', startedAt);
      const request = { path, headers, body };
      const attempt = makeAttempt(origin, request, connections, { startedAt, timeoutMs: timeoutMs(), pauses });
      underWay.add(attempt);
      try {
        return await attempt;
      } finally {
        underWay.delete(attempt);
      }
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
      await connections.close();
      pauses.close();
    },
  };
}

interface AttemptOptions extends Required<Pick<SenderOptions, 'pauses'>> {
  startedAt: number;
  timeoutMs: number;
}

async function makeAttempt(
  origin: string,
  request: OutgoingRequest,
  connections: Connections,
  { startedAt, timeoutMs, pauses }: AttemptOptions,
): Promise<AttemptResult> {
  const deadline = new AbortController();
  let last: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // After a pause the answer may be there and not read: the loop reads the sockets before it comes to the first of
    // these, and tells of those that ended before the second.
    last = setImmediate(() => {
      last = setImmediate(() => deadline.abort());
    });
  }, timeoutMs);
  const problemOf = (error: unknown) => {
    const problem = requestProblem(error, deadline.signal);
    if (OF_A_PAUSE.includes(problem) && pauses.hasPausedSince(startedAt)) throw new StoodStill(problem);
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

/** A receiver may close an idle connection just as it is used again: that is nobody's failure, so it is dialled anew, once. */
async function ask(
  origin: string,
  request: OutgoingRequest,
  connections: Connections,
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
