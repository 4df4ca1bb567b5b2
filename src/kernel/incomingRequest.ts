import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { clock } from './clock.ts';
import { config } from './config.ts';
import { log } from './log.ts';
import { addressProblem, isLoopback } from './publicAddress.ts';

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

/** Hops of X-Forwarded-For that are looked at: nobody has more proxies of their own, and a header has room for thousands. */
const MOST_HOPS = 32;

/**
 * The address of the client: of the connection, or what trusted proxies say in X-Forwarded-For. The list is read from
 * its end, and the first address that is no trusted proxy is it: what stands before it may be made up.
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

/** Whether the connection came from this machine, by a proxy or not. */
export function isFromThisMachine({ socket: { remoteAddress } }: IncomingMessage): boolean {
  return remoteAddress !== undefined && isLoopback(remoteAddress);
}

const WARNING_GAP_MS = 3_600_000;
let warnedAt = Number.NEGATIVE_INFINITY;

/**
 * Behind a proxy that is not named, all clients are one: they share its quotas, and one who guesses passwords locks out
 * everybody. At most once an hour, because anybody can send the header; an address of the internet may be a person's.
 */
function warnOfProxy(peer: string): void {
  const now = clock.now();
  if (now - warnedAt < WARNING_GAP_MS && now >= warnedAt) return;
  warnedAt = now;
  const isNear = isIP(peer) !== 0 && addressProblem(peer, { allowPrivate: false }) !== null;
  log.warn(
    `A request from ${isNear ? peer : 'a public address'} has X-Forwarded-For, which is not believed because TRUSTED_PROXIES ` +
      'does not name that address. If it is your proxy, name it: until then all clients behind it count as one.',
  );
}

/** From the end; empty ones, as a list may have them, are passed over. */
function* lastHops(list: string): Generator<string> {
  let end = list.length;
  for (let hops = 0; hops < MOST_HOPS && end > 0; hops += 1) {
    const comma = list.lastIndexOf(',', end - 1);
    const hop = list.slice(comma + 1, end).trim();
    if (hop !== '') yield hop;
    end = comma;
  }
}

/** Without the port that some proxies add: `192.0.2.1:5678`, `[2001:db8::1]:5678`, `[2001:db8::1]`. */
function bareAddress(hop: string): string {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(hop) ?? [];
  return inBrackets ?? beforePort ?? hop;
}

function isTrusted(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && config.trustedProxies.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

let lastPeer = '';
let lastProxies: unknown = null;
let isLastTrusted = false;

/** Whoever has proxies sees hardly another peer. */
function isTrustedPeer(peer: string): boolean {
  if (peer !== lastPeer || config.trustedProxies !== lastProxies) {
    isLastTrusted = isTrusted(peer);
    lastProxies = config.trustedProxies;
    lastPeer = peer;
  }
  return isLastTrusted;
}

/** IPv4 as itself where the system shows it inside IPv6, and without the network card that it came by. */
function plain(address: string): string {
  const zone = address.indexOf('%');
  const bare = zone < 0 ? address : address.slice(0, zone);
  return bare.startsWith('::') && /^::ffff:\d+\./i.test(bare) ? bare.slice(7) : bare;
}
