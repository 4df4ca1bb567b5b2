import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { config } from './config.ts';
import { withTimeout } from './deadline.ts';
import { CodedError } from './errors.ts';
import { log, WarningThrottle } from './log.ts';
import { whileSame } from './memoize.ts';
import { addressProblem, isLoopback } from './publicAddress.ts';

const WELL_FORMED_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const PROCESS = randomBytes(6).toString('hex');
let requests = 0;

/** The X-Request-Id that the client sent, if it is well-formed; otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && WELL_FORMED_ID.test(given)) return given;
  requests += 1;
  return `req_${PROCESS}${requests.toString(36)}`;
}

/** How many hops of X-Forwarded-For are read: no installation has more proxies, while a header has room for thousands. */
const MAX_HOPS = 32;

/**
 * The address of the client: the peer of the connection, or what trusted proxies report in X-Forwarded-For. That list is
 * read from its end, up to the first address that is not a trusted proxy: anything before it may be forged.
 */
export function clientAddress(request: IncomingMessage): string {
  const peer = plain(request.socket.remoteAddress ?? '');
  const forwarded = request.headers['x-forwarded-for'];
  if (!forwarded) return peer;
  if (!isTrustedPeer(peer)) {
    warnOfProxy(peer);
    return peer;
  }
  let known = peer;
  for (const hop of lastHops(String(forwarded))) {
    const address = plain(bareAddress(hop));
    if (!isIP(address)) return known;
    known = address;
    if (!isTrusted(address)) return address;
  }
  return known;
}

/** Whether the connection came from this machine, directly or through a proxy on it. */
export function isFromThisMachine({ socket: { remoteAddress } }: IncomingMessage): boolean {
  return remoteAddress !== undefined && isLoopback(remoteAddress);
}

const WARNING_GAP_MS = 3_600_000;
const warnings = new WarningThrottle((message) => log.warn(message), WARNING_GAP_MS);

/**
 * Warns of a proxy that is missing in TRUSTED_PROXIES: all clients behind it share one address, with its rate limits and
 * its lockout after wrong passwords. At most once an hour, because anyone can send the header. A public address is not
 * logged, because it may be personal data.
 */
function warnOfProxy(peer: string): void {
  const isNear = isIP(peer) !== 0 && addressProblem(peer, { allowPrivate: false }) !== null;
  warnings.warn(
    'proxy',
    `A request from ${isNear ? peer : 'a public address'} has X-Forwarded-For, which is ignored because TRUSTED_PROXIES ` +
      'does not include that address. If it is your proxy, add it: until then all clients behind it count as one.',
  );
}

/** The hops of the list from its end, without empty ones. */
function* lastHops(list: string): Generator<string> {
  let end = list.length;
  for (let hops = 0; hops < MAX_HOPS && end > 0; hops += 1) {
    const comma = list.lastIndexOf(',', end - 1);
    const hop = list.slice(comma + 1, end).trim();
    if (hop !== '') yield hop;
    end = comma;
  }
}

/** An address without the port and brackets that some proxies add: `192.0.2.1:5678`, `[2001:db8::1]:5678`. */
function bareAddress(hop: string): string {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(hop) ?? [];
  return inBrackets ?? beforePort ?? hop;
}

function isTrusted(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && config.trustedProxies.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** The `traceparent` header of a request that a trusted proxy sent or passed on. */
export function trustedTraceparent(request: IncomingMessage): string | undefined {
  const { traceparent } = request.headers;
  if (typeof traceparent !== 'string') return undefined;
  return isTrustedPeer(plain(request.socket.remoteAddress ?? '')) ? traceparent : undefined;
}

/** Caches the last result for these proxies: nearly every request has the same peer. */
const trustedPeers = whileSame(
  () => config.trustedProxies,
  () => {
    const last = { peer: '', isTrusted: false };
    return (peer: string) => {
      if (peer !== last.peer) Object.assign(last, { peer, isTrusted: isTrusted(peer) });
      return last.isTrusted;
    };
  },
);

function isTrustedPeer(peer: string): boolean {
  return trustedPeers()(peer);
}

/** An IPv4 address without the IPv6 prefix that some systems add, and any address without its zone. */
function plain(address: string): string {
  const zone = address.indexOf('%');
  const bare = zone < 0 ? address : address.slice(0, zone);
  return bare.startsWith('::') && /^::ffff:\d+\./i.test(bare) ? bare.slice(7) : bare;
}

/** The client closed the connection before its request had arrived, so there is no one to respond to. */
export class ClientDisconnected extends Error {}

/**
 * Waits for `reading`, which reads the body of the request. Throws `request_timeout` when that takes longer than `seconds`
 * (see `closeAfterResponse`), and `ClientDisconnected`.
 */
export async function awaitBody<Result>(
  request: IncomingMessage,
  seconds: number,
  reading: Promise<Result>,
): Promise<Result> {
  try {
    return await withTimeout(reading, seconds * 1000, () => tooSlow(seconds));
  } catch (error) {
    throw request.destroyed && !request.complete ? new ClientDisconnected() : error;
  }
}

/**
 * For the response to `request_timeout`: the rest of the request must not be read as the next one, and a reader of its body
 * would wait forever, because Node does not signal the end of a request that has been responded to.
 */
export function closeAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close');
  response.once('close', () => request.destroy());
}

function tooSlow(seconds: number): CodedError {
  return new CodedError('request_timeout', `The body did not arrive within ${seconds} seconds.`);
}
