import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '../src/kernel/errors.ts';

/** What a browser says of requests of our own pages, and of those that a person begins; other clients say nothing. */
const OWN = new Set([undefined, 'same-origin', 'none']);

/**
 * Refuses what another site has a browser send. The session cookie is SameSite=Lax, which lets sub-domains of our own site
 * send it: links of customers are served there.
 */
export function refuseOtherSites(headers: IncomingHttpHeaders): void {
  if (OWN.has(headers['sec-fetch-site'] as string | undefined)) return;
  throw new CodedError('invalid_request', 'This is for pages of the dashboard: another site asked for it.');
}
