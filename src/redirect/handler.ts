import type { IncomingMessage, ServerResponse } from 'node:http';
import { answer, answerRedirect, answerUnavailable, answerUnknown, type Exchange } from './answer.ts';
import { answerAssociation, isAssociationPath } from './association.ts';
import { findByPath, peekByPath } from './findByPath.ts';
import { type FollowParts, follow } from './follow.ts';
import type { LinkCache } from './LinkCache.ts';
import type { LinkDomain, LinkDomains } from './linkDomains.ts';
import { answerPreview, isPreviewPath } from './previews.ts';

export interface RedirectParts extends FollowParts {
  cache: LinkCache;
  domains: LinkDomains;
}

/** Answers a request on a host that is not reserved for the service itself. */
export type RedirectHandler = (request: IncomingMessage, response: ServerResponse, host: string) => void;

const METHODS = new Set(['GET', 'HEAD', 'POST']);

/** The hot path: for a link in memory, the only promise is that of the journal. */
export function redirectHandler(parts: RedirectParts): RedirectHandler {
  return (request, response, host) => {
    const domain = parts.domains.peek(host);
    if (domain) serve(parts, request, response, domain);
    else if (domain === null) answerUnknownHost(request, response);
    else void findDomainAndServe(parts, request, response, host);
  };
}

/** Answers on a host that is neither ours nor a verified link domain. */
export function answerUnknownHost(request: IncomingMessage, response: ServerResponse): void {
  const body = Buffer.from('This host is not served here.\n');
  answer({ request, response }, 404, ['Content-Type', 'text/plain; charset=utf-8'], body);
}

async function findDomainAndServe(
  parts: RedirectParts,
  request: IncomingMessage,
  response: ServerResponse,
  host: string,
): Promise<void> {
  try {
    const domain = await parts.domains.find(host);
    if (domain) serve(parts, request, response, domain);
    else answerUnknownHost(request, response);
  } catch (error) {
    answerUnavailable({ request, response }, error);
  }
}

function serve(parts: RedirectParts, request: IncomingMessage, response: ServerResponse, domain: LinkDomain): void {
  if (!METHODS.has(request.method ?? '')) {
    answer({ request, response }, 405, ['Allow', 'GET, HEAD, POST', 'Content-Length', '0']);
    return;
  }
  const url = request.url as string;
  const mark = url.indexOf('?');
  const query = mark < 0 ? '' : url.slice(mark + 1);
  const path = mark < 0 ? url : url.slice(0, mark);
  const exchange: Exchange = { request, response, startedAt: performance.now(), domain, path, query };
  const known = peekByPath(parts.cache, domain, path);
  if (known?.link) follow(parts, exchange, known);
  else if (path === '/') answerRoot(exchange);
  else if (isPreviewPath(path)) void orUnavailable(exchange, answerPreview(parts.cache, exchange));
  else if (known && !isAssociationPath(path)) follow(parts, exchange, known);
  else void orUnavailable(exchange, lookUpAndFollow(parts, exchange));
}

async function lookUpAndFollow(parts: RedirectParts, exchange: Exchange): Promise<void> {
  const found = await findByPath(parts.cache, exchange.domain, exchange.path);
  if (found.link === null && isAssociationPath(exchange.path)) await answerAssociation(exchange);
  else follow(parts, exchange, found);
}

function answerRoot(exchange: Exchange): void {
  const { rootDestination } = exchange.domain;
  if (rootDestination === null) answerUnknown(exchange);
  else answerRedirect(exchange, rootDestination);
}

async function orUnavailable(exchange: Exchange, answering: Promise<void>): Promise<void> {
  try {
    await answering;
  } catch (error) {
    answerUnavailable(exchange, error);
  }
}
