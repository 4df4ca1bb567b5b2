import type { IncomingMessage, ServerResponse } from 'node:http';
import { clock } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import { redirectCounts } from '../kernel/metrics.ts';
import { clientAddress, requestIdOf } from '../kernel/requestFacts.ts';
import type { CompiledLink } from '../routing/compiledLink.ts';
import { decide } from '../routing/decide.ts';
import type { Redirect } from '../routing/outcome.ts';
import { parseVisitor, type Visitor } from '../routing/visitor.ts';
import type { CountryOf } from './country.ts';
import { type FoundByPath, findByPath, peekByPath } from './findByPath.ts';
import type { LinkCache } from './LinkCache.ts';
import { PAGE_HEADERS, type PageName, RENDERED } from './pages.ts';

/** What a followed link leaves behind; see recordClick. */
export interface Followed {
  link: CompiledLink;
  visitor: Visitor;
  outcome: Redirect;
  country: string | null;
  addressHash: string;
  /** Keyed hash of address and agent. */
  visitorHash: string;
  atMs: number;
}

export interface RedirectParts {
  cache: LinkCache;
  countryOf: CountryOf;
  hashes: (address: string, agent: string, nowMs: number) => { addressHash: string; visitor: string };
  /** Resolves when the click is on disk, or was dropped loudly. Never rejects. */
  record: (followed: Followed) => Promise<unknown>;
}

/** Answers a request for a short link on `domain`. */
export type RedirectHandler = (request: IncomingMessage, response: ServerResponse, domain: string) => void;

const METHODS = new Set(['GET', 'HEAD', 'POST']);

/** The hot path: a link that is in memory is answered without a promise but the journal's. */
export function redirectHandler(parts: RedirectParts): RedirectHandler {
  return (request, response, domain) => {
    if (!METHODS.has(request.method ?? '')) {
      answer(request, response, 405, ['Allow', 'GET, HEAD, POST', 'Content-Length', '0']);
      return;
    }
    const url = request.url as string;
    const mark = url.indexOf('?');
    const query = mark < 0 ? '' : url.slice(mark + 1);
    const path = mark < 0 ? url : url.slice(0, mark);
    const known = peekByPath(parts.cache, domain, path);
    if (known) follow(parts, request, response, query, known);
    else void lookUpAndFollow(parts, request, response, query, domain, path);
  };
}

async function lookUpAndFollow(
  parts: RedirectParts,
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
  domain: string,
  path: string,
): Promise<void> {
  try {
    follow(parts, request, response, query, await findByPath(parts.cache, domain, path));
  } catch (error) {
    log.warn({ err: error }, 'a link could not be looked up');
    answerPage(request, response, 'unavailable');
  }
}

function follow(
  parts: RedirectParts,
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
  { link, rest }: FoundByPath,
): void {
  if (link === null) {
    answerPage(request, response, 'not_found');
    return;
  }
  const { headers } = request;
  const visitor = parseVisitor(
    {
      userAgent: headers['user-agent'],
      acceptLanguage: headers['accept-language'],
      referer: headers.referer,
      secPurpose: headers['sec-purpose'] as string | undefined,
      purpose: headers.purpose as string | undefined,
      xMoz: headers['x-moz'] as string | undefined,
    },
    request.method as string,
  );
  const atMs = clock.now();
  const address = clientAddress(request);
  const country = parts.countryOf(address);
  const outcome = decide(link, visitor, atMs, { query, country, addressKey: address, path: rest });
  if (outcome.kind === 'not_found' || outcome.kind === 'flagged') {
    answerPage(request, response, outcome.kind);
    return;
  }
  if (outcome.kind === 'expired') {
    answerExpired(request, response, outcome.destination);
    return;
  }
  const { addressHash, visitor: visitorHash } = parts.hashes(address, headers['user-agent'] ?? '', atMs);
  void parts.record({ link, visitor, outcome, country, addressHash, visitorHash, atMs }).then(() => {
    redirectCounts.followed += 1;
    answer(request, response, 302, ['Location', outcome.destination, 'Content-Length', '0']);
  });
}

function answerExpired(request: IncomingMessage, response: ServerResponse, destination: string | null): void {
  if (destination === null) {
    answerPage(request, response, 'expired');
    return;
  }
  redirectCounts.expired += 1;
  answer(request, response, 302, ['Location', destination, 'Content-Length', '0']);
}

function answerPage(request: IncomingMessage, response: ServerResponse, name: PageName): void {
  const { status, html } = RENDERED[name];
  redirectCounts[name] += 1;
  const retry = name === 'unavailable' ? ['Retry-After', '5'] : [];
  answer(request, response, status, [...PAGE_HEADERS, ...retry, 'Content-Length', String(html.length)], html);
}

/** `headers`: names and values in turn, which Node takes as they are. */
function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: string[],
  body?: Buffer,
): void {
  if (response.headersSent || response.destroyed) return;
  headers.push('Cache-Control', 'private, no-store', 'X-Request-Id', requestIdOf(request));
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}
