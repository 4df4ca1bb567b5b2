import type { IncomingMessage, ServerResponse } from 'node:http';
import { clock } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import { metrics } from '../kernel/metrics.ts';
import { clientAddress, requestIdOf } from '../kernel/requestFacts.ts';
import type { CompiledLink } from '../routing/compiledLink.ts';
import { decide } from '../routing/decide.ts';
import type { Redirect } from '../routing/outcome.ts';
import { parseVisitor, type Visitor } from '../routing/visitor.ts';
import type { CountryOf } from './country.ts';
import { findByPath } from './findByPath.ts';
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
  /** Resolves when the click is on disk, or was dropped loudly. */
  record: (followed: Followed) => Promise<unknown>;
}

const METHODS = new Set(['GET', 'HEAD', 'POST']);

/** Answers a request for a short link on `domain`. Never rejects. */
export function redirectHandler(parts: RedirectParts) {
  return async (request: IncomingMessage, response: ServerResponse, domain: string): Promise<void> => {
    try {
      if (!METHODS.has(request.method ?? '')) {
        answer(request, response, 405, { Allow: 'GET, HEAD, POST', 'Content-Length': '0' });
        return;
      }
      await follow(parts, request, response, domain);
    } catch (error) {
      log.warn({ err: error }, 'a link could not be looked up');
      answerPage(request, response, 'unavailable');
    }
  };
}

async function follow(parts: RedirectParts, request: IncomingMessage, response: ServerResponse, domain: string) {
  const url = request.url as string;
  const mark = url.indexOf('?');
  const query = mark < 0 ? '' : url.slice(mark + 1);
  const { link, rest } = await findByPath(parts.cache, domain, mark < 0 ? url : url.slice(0, mark));
  if (link === null) return answerPage(request, response, 'not_found');
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
  const { addressHash, visitor: visitorHash } = parts.hashes(address, headers['user-agent'] ?? '', atMs);
  const country = parts.countryOf(address);
  const outcome = decide(link, visitor, atMs, { query, country, addressKey: address, path: rest });
  if (outcome.kind === 'not_found' || outcome.kind === 'flagged') return answerPage(request, response, outcome.kind);
  if (outcome.kind === 'expired') return answerExpired(request, response, outcome.destination);
  await parts.record({ link, visitor, outcome, country, addressHash, visitorHash, atMs });
  metrics.redirects.inc(FOLLOWED);
  answer(request, response, 302, { Location: outcome.destination, 'Content-Length': '0' });
}

const FOLLOWED = { outcome: 'followed' };

function answerExpired(request: IncomingMessage, response: ServerResponse, destination: string | null): void {
  if (destination === null) {
    answerPage(request, response, 'expired');
    return;
  }
  metrics.redirects.inc({ outcome: 'expired' });
  answer(request, response, 302, { Location: destination, 'Content-Length': '0' });
}

function answerPage(request: IncomingMessage, response: ServerResponse, name: PageName): void {
  const { status, html } = RENDERED[name];
  metrics.redirects.inc({ outcome: name });
  const headers: Record<string, string> = { ...PAGE_HEADERS, 'Content-Length': String(html.length) };
  if (name === 'unavailable') headers['Retry-After'] = '5';
  answer(request, response, status, headers, html);
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body?: Buffer,
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    ...headers,
    'Cache-Control': 'private, no-store',
    'X-Request-Id': requestIdOf(request),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
