import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from '../kernel/incomingRequest.ts';
import { log } from '../kernel/log.ts';
import { redirectCounts } from '../kernel/metrics.ts';
import { type RedirectClass, redirectSeconds } from '../kernel/redirectSeconds.ts';
import type { LinkDomain } from './linkDomains.ts';
import { type PageFacts, type PageName, renderPage } from './pages/pages.ts';

/** A request and its response. */
export interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** By `performance.now()`; absent where the duration of the response is not measured. */
  startedAt?: number;
}

/** A request on a link domain and its response. */
export interface Exchange extends HttpExchange {
  domain: LinkDomain;
  /** Raw, without the query. */
  path: string;
  /** Raw, without its `?`. */
  query: string;
}

/** Sends a response. `headers`: alternating names and values, as Node takes them; the default is not to be cached. */
export function answer(exchange: HttpExchange, status: number, headers: string[], body?: Buffer): void {
  const { request, response, startedAt } = exchange;
  if (response.headersSent || response.destroyed) return;
  if (!headers.includes('Cache-Control')) headers.push('Cache-Control', 'private, no-store');
  headers.push('X-Request-Id', requestIdOf(request));
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
  if (startedAt !== undefined) redirectSeconds.observe(classOf(status), performance.now() - startedAt);
}

/** What kind of response it was, in metrics. Passwords take long on purpose, and what follows them is 303. */
function classOf(status: number): RedirectClass {
  if (status === 302) return 'redirect';
  return status === 503 ? 'unavailable' : 'other';
}

/** Redirects the visitor with 302, or 303 after a form. `destination` must be safe in a header. */
export function answerRedirect(exchange: HttpExchange, destination: string, more: string[] = [], status = 302): void {
  answer(exchange, status, ['Location', destination, 'Content-Length', '0', ...more]);
}

/** Sends a page in the visitor's language. `more`: alternating names and values of further headers. */
export function answerPage(exchange: HttpExchange, name: PageName, facts: PageFacts = {}, more: string[] = []): void {
  const page = renderPage(name, exchange.request.headers['accept-language'], facts);
  redirectCounts[name] += 1;
  answer(exchange, page.status, [...page.headers, ...more, 'Content-Length', String(page.html.length)], page.html);
}

/** Answers with 503, because the store is away and memory does not know the link, or what is left of its limit. */
export function answerUnavailable(exchange: HttpExchange, error: unknown): void {
  log.warn({ err: error }, 'a link could not be looked up');
  answerPage(exchange, 'unavailable', {}, ['Retry-After', '5']);
}

/** Answers for an unknown or unused link: redirects to the domain's destination for this case, or shows a page. */
export function answerUnknown(exchange: Exchange): void {
  const { notFoundDestination } = exchange.domain;
  if (notFoundDestination === null) {
    answerPage(exchange, 'not_found');
    return;
  }
  redirectCounts.not_found += 1;
  answerRedirect(exchange, notFoundDestination);
}

/** Answers for an expired link: redirects to its `own` destination for this case or to the domain's, or shows a page. */
export function answerExpired(exchange: Exchange, own: string | null): void {
  const destination = own ?? exchange.domain.expiredDestination;
  if (destination === null) {
    answerPage(exchange, 'expired');
    return;
  }
  redirectCounts.expired += 1;
  answerRedirect(exchange, destination);
}
