import type { IncomingHttpHeaders } from 'node:http';
import { Client, type Dispatcher } from 'undici';
import { keyedMutex } from '../kernel/concurrency.ts';
import { config } from '../kernel/config.ts';
import { literalAddress } from '../kernel/publicAddress.ts';
import { openSocket, type RequestProblem, requestProblem } from './connect.ts';
import { type Resolver, systemResolver } from './dns.ts';
import { ProbeCookies } from './ProbeCookies.ts';

export interface ProbeOptions {
  /** For HEAD, no body is read. */
  method?: 'GET' | 'HEAD';
  /** Redirects to follow; every hop is vetted. 0: the redirect itself is the answer. */
  maxRedirects?: number;
  /** Limit of the body; the rest is cut off. */
  maxBytes?: number;
  /** Whether the body of an answer is read; what is not read is empty. */
  acceptsBody?: (headers: IncomingHttpHeaders) => boolean;
  /** Cookies are kept from one redirect to the next, as some sites lead in a circle without them. False by default. */
  keepsCookies?: boolean;
  /** From the name lookup to the last byte, all hops together; waiting for the host's mutex does not count. */
  timeoutMs?: number;
  /** Aborts earlier, also while waiting for the host's mutex; counts as a timeout. */
  signal?: AbortSignal;
  resolver?: Resolver;
}

export interface ProbeAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** `bytes` as UTF-8. */
  body: string;
  bytes: Buffer;
  isCut: boolean;
  /** The URL that answered, after redirects. */
  url: string;
  redirects: number;
}

/** Why there is no complete answer, for a reason outside this machine. */
export interface ProbeFailure {
  problem: RequestProblem | 'too_many_redirects' | 'bad_redirect';
  /** The URL of the failed request. */
  url: string;
  /** The system's own error message. */
  detail: string;
}

/** Runs `request` once no other request to that host is running, so that a host many projects link to is not flooded. */
export const withHostMutex = keyedMutex();

const MAX_BYTES = 64 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Requests a URL once, without credentials: only at public addresses (unless ALLOW_PRIVATE_TARGETS), one request at a
 * time for each host, bounded in time and size. Failures of the remote side are results; rejects only for faults of ours.
 */
export async function probe(url: string, options: ProbeOptions = {}): Promise<ProbeAnswer | ProbeFailure> {
  const { maxRedirects = 0, keepsCookies = false, timeoutMs = config.probeTimeoutSeconds * 1000, signal } = options;
  let leftMs = timeoutMs;
  let at = url;
  const cookies = new ProbeCookies();
  const seen = new Set<string>();
  for (let redirects = 0; ; redirects += 1) {
    const answer = await withHostMutex(new URL(at).host, async () => {
      if (signal?.aborted)
        return { problem: 'timeout', url: at, detail: 'aborted while waiting for other requests to the host' } as const;
      const startedAt = performance.now();
      const limit = AbortSignal.timeout(Math.max(1, Math.ceil(leftMs)));
      const result = await request(
        at,
        options,
        cookies.headerFor(at),
        signal ? AbortSignal.any([limit, signal]) : limit,
      );
      leftMs -= performance.now() - startedAt;
      return result;
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
    seen.add(`${withoutFragment(at)} ${cookies.headerFor(at)}`);
    if (keepsCookies) cookies.accept(answer.headers['set-cookie'], at);
    at = withoutFragment(target.href);
    // The same URL with another cookie is a step forward.
    if (seen.has(`${at} ${cookies.headerFor(at)}`))
      return { problem: 'too_many_redirects', url: at, detail: `in a loop: it leads back to ${at.slice(0, 200)}` };
  }
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] as string;
}

async function request(
  url: string,
  { method = 'GET', maxBytes = MAX_BYTES, acceptsBody = () => true, resolver = systemResolver }: ProbeOptions,
  cookie: string,
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
    // The deadline covers the whole request; undici's limits on its parts would restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const headers = {
      ...{ 'User-Agent': `SVC-Check/1 (+${config.baseUrl})`, Accept: '*/*', 'Accept-Encoding': 'identity' },
      ...(cookie === '' ? {} : { Cookie: cookie }),
    };
    const answer = await client.request({ path: pathname + search, method, headers, signal: deadline });
    const isRead = method !== 'HEAD' && acceptsBody(answer.headers);
    const { bytes, isCut } = isRead ? await readSome(answer.body, maxBytes) : { bytes: Buffer.alloc(0), isCut: false };
    return { status: answer.statusCode, headers: answer.headers, body: bytes.toString('utf8'), bytes, isCut, url };
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
  return { bytes: Buffer.concat(parts).subarray(0, maxBytes), isCut: bytes > maxBytes };
}

function detailOf(error: unknown): string {
  const cause = (error as Error).cause;
  return String(cause instanceof Error ? cause.message : (cause ?? (error as Error).message)).slice(0, 300);
}

/** Completes the sentence "https://… cannot be reached: …". */
const TEXTS: Record<ProbeFailure['problem'], string> = {
  dns: 'its host name has no address',
  connect: 'nothing answers at its address',
  tls: 'its certificate or encryption is not accepted',
  timeout: 'it does not answer in time',
  reset: 'it closes the connection before it has answered',
  blocked_address: 'its address is inside a private network',
  bad_response: 'its response is not valid HTTP',
  too_many_redirects: 'it redirects too often',
  bad_redirect: 'it redirects to something that is not a web address',
};

/** What went wrong, for people to read, with the system's message in parentheses. */
export function describeFailure({ problem, detail }: ProbeFailure): string {
  return `${TEXTS[problem]} (${detail})`;
}
