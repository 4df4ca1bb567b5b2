import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LinkDomain } from './domains.ts';

/** A request on a link domain, and the answer to it. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  domain: LinkDomain;
  /** Raw, without its query. */
  path: string;
  /** Raw, without its `?`. */
  query: string;
}
