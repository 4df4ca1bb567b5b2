import type { IncomingHttpHeaders } from 'node:http';
import { Client, type Dispatcher } from 'undici';
import { config } from '../kernel/config.ts';
import { literalAddress } from '../kernel/publicAddress.ts';
import { openSocket } from './connect.ts';
import { takeTurn } from './hostTurns.ts';
import { type RequestProblem, requestProblem } from './requestProblem.ts';
import { type Resolver, systemResolver } from './resolver.ts';

export interface ProbeOptions {
  /** HEAD reads no body. */
  method?: 'GET' | 'HEAD';
  /** Redirects that are followed; every hop is vetted. 0: none, and the redirect is the answer. */
  maxRedirects?: number;
  /** Of the body; more is cut off. */
  maxBytes?: number;
  /** From the first question of the name to the last byte, all hops together; waiting for a turn does not count. */
  timeoutMs?: number;
  /** Ends it before, also while it waits for its turn; it counts as a timeout then. */
  signal?: AbortSignal;
  resolver?: Resolver;
}

export interface ProbeAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  isCut: boolean;
  /** Where it came from in the end. */
  url: string;
  redirects: number;
}

/** What the outside world did, when no whole answer came. */
export interface ProbeFailure {
  problem: RequestProblem | 'too_many_redirects' | 'bad_redirect';
  /** The URL that was asked when it happened. */
  url: string;
  /** In the words of the system, for people who look closer. */
  detail: string;
}

const MAX_BYTES = 64 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Asks a URL once, as nobody in particular: public addresses alone (unless ALLOW_PRIVATE_TARGETS), one request at a time
 * for each host, bounded in time and size. What the outside world does is in the result; rejects only for faults of ours.
 */
export async function probe(url: string, options: ProbeOptions = {}): Promise<ProbeAnswer | ProbeFailure> {
  const { maxRedirects = 0, timeoutMs = config.probeTimeoutSeconds * 1000, signal } = options;
  let leftMs = timeoutMs;
  let at = url;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await takeTurn(new URL(at).host, async () => {
      if (signal?.aborted) return { problem: 'timeout', url: at, detail: 'given up before its turn came' } as const;
      const startedAt = performance.now();
      const limit = AbortSignal.timeout(Math.max(1, Math.ceil(leftMs)));
      const came = await askOnce(at, options, signal ? AbortSignal.any([limit, signal]) : limit);
      leftMs -= performance.now() - startedAt;
      return came;
    });
    if ('problem' in answer) return answer;
    const next = REDIRECTS.includes(answer.status) ? answer.headers.location : undefined;
    if (next === undefined || maxRedirects === 0) return { ...answer, redirects };
    if (redirects === maxRedirects) {
      return { problem: 'too_many_redirects', url: at, detail: `more than ${maxRedirects} redirects` };
    }
    const target = URL.parse(next, at);
    if (!target || !/^https?:$/.test(target.protocol)) {
      return { problem: 'bad_redirect', url: at, detail: `redirects to ${next.slice(0, 200)}` };
    }
    at = target.href;
  }
}

async function askOnce(
  url: string,
  { method = 'GET', maxBytes = MAX_BYTES, resolver = systemResolver }: ProbeOptions,
  deadline: AbortSignal,
): Promise<Omit<ProbeAnswer, 'redirects'> | ProbeFailure> {
  const { origin, pathname, search } = new URL(url);
  const client = new Client(origin, {
    connect: ({ protocol, hostname, port }, callback) => {
      const target = {
        protocol,
        hostname: literalAddress(hostname) ?? hostname,
        port: Number(port || (protocol === 'https:' ? 443 : 80)),
      };
      openSocket(target, { resolver, allowPrivate: config.allowPrivateTargets, signal: deadline }).then(
        (socket) => callback(null, socket),
        (error) => callback(error, null),
      );
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    // The deadline stands over the whole request; limits on its parts would only restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const headers = { 'User-Agent': `SVC-Check/1 (+${config.baseUrl})`, Accept: '*/*', 'Accept-Encoding': 'identity' };
    const answer = await client.request({ path: pathname + search, method, headers, signal: deadline });
    const { body, isCut } = method === 'HEAD' ? { body: '', isCut: false } : await readSome(answer.body, maxBytes);
    return { status: answer.statusCode, headers: answer.headers, body, isCut, url };
  } catch (error) {
    return { problem: requestProblem(error, deadline), url, detail: detailOf(error) };
  } finally {
    await client.destroy();
  }
}

async function readSome(body: Dispatcher.ResponseData['body'], maxBytes: number) {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxBytes) break;
  }
  return { body: Buffer.concat(parts).subarray(0, maxBytes).toString('utf8'), isCut: bytes > maxBytes };
}

function detailOf(error: unknown): string {
  const cause = (error as Error).cause;
  return String(cause instanceof Error ? cause.message : (cause ?? (error as Error).message)).slice(0, 300);
}
