import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { config } from './config.ts';

const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const PROCESS = randomBytes(6).toString('hex');
let requests = 0;

/** The caller's own X-Request-Id if it is sane, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && SANE_ID.test(given)) return given;
  requests += 1;
  return `req_${PROCESS}${requests.toString(36)}`;
}

/**
 * The address of the client: of the connection, or what trusted proxies say in X-Forwarded-For. The list is read from
 * its end, and the first address that is no trusted proxy is it: what stands before it may be made up.
 */
export function clientAddress(request: IncomingMessage): string {
  const peer = plain(request.socket.remoteAddress ?? '');
  const forwarded = request.headers['x-forwarded-for'];
  if (!forwarded || !isTrusted(peer)) return peer;
  let known = peer;
  for (const hop of String(forwarded).split(',').reverse()) {
    const address = plain(hop.trim());
    if (!isIP(address)) return known;
    known = address;
    if (!isTrusted(address)) return address;
  }
  return known;
}

function isTrusted(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && config.trustedProxies.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** IPv4 as itself where the system shows it inside IPv6. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
