import type { IncomingMessage, ServerResponse } from 'node:http';
import { redirectCounts } from '../kernel/metrics.ts';
import { requestIdOf } from '../kernel/requestFacts.ts';
import type { Exchange } from './Exchange.ts';
import { type PageFacts, type PageName, renderPage } from './pages/pages.ts';

/** What an answer goes to. */
export interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
}

/** `headers`: names and values in turn, which Node takes as they are. Nothing is to be kept unless they say so. */
export function answer({ request, response }: Asked, status: number, headers: string[], body?: Buffer): void {
  if (response.headersSent || response.destroyed) return;
  if (!headers.includes('Cache-Control')) headers.push('Cache-Control', 'private, no-store');
  headers.push('X-Request-Id', requestIdOf(request));
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Sends the visitor on: 302, or after a form 303. `destination` is safe in a header. */
export function answerRedirect(asked: Asked, destination: string, more: string[] = [], status = 302): void {
  answer(asked, status, ['Location', destination, 'Content-Length', '0', ...more]);
}

/** A page in the visitor's language; `more` headers as names and values in turn. */
export function answerPage(asked: Asked, name: PageName, facts: PageFacts = {}, more: string[] = []): void {
  const page = renderPage(name, asked.request.headers['accept-language'], facts);
  redirectCounts[name] += 1;
  answer(asked, page.status, [...page.headers, ...more, 'Content-Length', String(page.html.length)], page.html);
}

/** No such link, or none in use: where the domain sends such visitors, else a page. */
export function answerUnknown(exchange: Exchange): void {
  const { notFoundDestination } = exchange.domain;
  if (notFoundDestination === null) {
    answerPage(exchange, 'not_found');
    return;
  }
  redirectCounts.not_found += 1;
  answerRedirect(exchange, notFoundDestination);
}

/** A link that is over: its own destination for that, then the domain's, else a page. */
export function answerExpired(exchange: Exchange, own: string | null): void {
  const destination = own ?? exchange.domain.expiredDestination;
  if (destination === null) {
    answerPage(exchange, 'expired');
    return;
  }
  redirectCounts.expired += 1;
  answerRedirect(exchange, destination);
}
