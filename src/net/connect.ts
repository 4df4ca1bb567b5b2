import type { LookupAddress } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { servedPorts } from '../kernel/origins.ts';
import { type AddressOptions, addressProblem, isInterfaceAddress, literalAddress } from '../kernel/publicAddress.ts';
import type { Resolver } from './dns.ts';

/** Time for one address before the next one is tried; Node's default of 250 ms gives up on distant but healthy hosts. */
const NEXT_ADDRESS_AFTER_MS = 1000;

interface ConnectTarget {
  protocol: string;
  /** A name, or an address without brackets. */
  hostname: string;
  port: number;
}

export interface ConnectOptions {
  resolver: Resolver;
  allowPrivate: boolean;
  /** Aborts name resolution, connecting and the TLS handshake. */
  signal: AbortSignal;
}

/**
 * Connects to a vetted address, over TLS if `protocol` is `https:`. Rejects with `ConnectFailure`, or with the system's
 * own error if the fault is on this side (for example, no free file descriptors).
 */
export async function openSocket(target: ConnectTarget, options: ConnectOptions): Promise<Socket> {
  throwIfLate(options.signal);
  const addresses = await vettedAddresses(target, options);
  throwIfLate(options.signal);
  return established(dial(target, addresses), target, options);
}

/** A signal that is already aborted fires no further event. */
function throwIfLate(signal: AbortSignal): void {
  if (signal.aborted) throw new ConnectFailure('timeout', signal.reason);
}

async function vettedAddresses(
  { hostname, port }: ConnectTarget,
  { resolver, allowPrivate, signal }: ConnectOptions,
): Promise<LookupAddress[]> {
  const literal = literalAddress(hostname);
  const addresses = literal
    ? [{ address: literal, family: isIP(literal) }]
    : await resolved(hostname, resolver, signal);
  if (addresses.length === 0) throw new ConnectFailure('dns', `${hostname} has no address`);
  // One bad address rejects the host: the system chooses which address is connected to.
  for (const { address } of addresses) {
    const problem = vet(address, port, { allowPrivate, isWritten: literal !== null });
    if (problem) throw new ConnectFailure('blocked_address', literal ? problem : notPublic(hostname));
  }
  return addresses;
}

/** Sites on these ports of this machine are reachable from outside anyway, so reaching them from inside gains nothing. */
const PUBLIC_PORTS = [80, 443];

/**
 * Why a connection to this address and port is not allowed; null if it is. A firewall in front of this machine does not
 * protect it from itself, so its own addresses are allowed only on ports that are meant for the public.
 */
export function vet(address: string, port: number, options: AddressOptions, interfaces?: Interfaces): string | null {
  const problem = addressProblem(address, options);
  if (problem || options.allowPrivate || PUBLIC_PORTS.includes(port)) return problem;
  if (!isInterfaceAddress(address, interfaces) || servedPorts().includes(port)) return null;
  return `${address} is an address of this service itself, where port ${port} cannot be used.`;
}

type Interfaces = Parameters<typeof isInterfaceAddress>[1];

/** Does not name the address: otherwise anyone with a name server could look up names inside our network. */
export function notPublic(hostname: string): string {
  return `${hostname} leads to an address that is not public.`;
}

function resolved(hostname: string, resolver: Resolver, signal: AbortSignal): ReturnType<Resolver> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new ConnectFailure('timeout', signal.reason)), { once: true });
    resolver(hostname).then(resolve, (error) => reject(isOurs(error) ? error : new ConnectFailure('dns', error)));
  });
}

function dial({ protocol, hostname, port }: ConnectTarget, addresses: LookupAddress[]): Socket {
  // Reuses the vetted addresses: a second lookup could return different ones (DNS rebinding).
  const lookup: LookupFunction = (_hostname, _options, done) => done(null, addresses);
  const common = {
    host: hostname,
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    noDelay: true,
    keepAlive: true,
  };
  if (protocol !== 'https:') return connectTcp(common);
  return connectTls({
    ...common,
    ...(literalAddress(hostname) ? {} : { servername: hostname }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    rejectUnauthorized: true,
  });
}

function established(socket: Socket, { protocol, hostname }: ConnectTarget, options: ConnectOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const fail = (error: unknown) => {
      socket.destroy();
      reject(error);
    };
    const onAbort = () => fail(new ConnectFailure('timeout', options.signal.reason));
    options.signal.addEventListener('abort', onAbort, { once: true });
    socket.once('connect', () => {
      isConnected = true;
      const isBlocked = addressProblem(socket.remoteAddress ?? 'unknown', options) !== null;
      if (isBlocked) fail(new ConnectFailure('blocked_address', notPublic(hostname)));
    });
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      options.signal.removeEventListener('abort', onAbort);
      resolve(socket);
    });
    // This listener stays: an unhandled error between two requests would end the process.
    socket.on('error', (error) =>
      fail(isOurs(error) ? error : new ConnectFailure(isConnected ? 'tls' : 'connect', error)),
    );
    socket.once('close', () => fail(new ConnectFailure(isConnected ? 'tls' : 'connect', 'closed at once')));
  });
}

/** What on the remote side or on the way prevented a connection. */
export type ConnectProblem = 'dns' | 'connect' | 'tls' | 'timeout' | 'blocked_address';

/** No connection, for a reason outside this machine. */
export class ConnectFailure extends Error {
  readonly kind: ConnectProblem;

  constructor(kind: ConnectProblem, cause: unknown) {
    super(`No connection: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.kind = kind;
  }
}

/** Errors of this machine or of our own call, which say nothing about the remote host. */
const OURS = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'UND_ERR_INVALID_ARG', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'];

/** Whether the fault is on our side and must not count against the remote host. */
export function isOurs(error: unknown): boolean {
  return OURS.includes(String((error as NodeJS.ErrnoException | null)?.code ?? ''));
}

/** Why a request got no complete response, for a reason outside this machine. */
export type RequestProblem = ConnectProblem | 'reset' | 'bad_response';

const RESET = ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Classifies what went wrong between the call and the last byte. Rethrows `error` if the fault is ours. */
export function requestProblem(error: unknown, deadline: AbortSignal): RequestProblem {
  if (error instanceof ConnectFailure) return error.kind;
  if (deadline.aborted) return 'timeout';
  if (isOurs(error)) throw error;
  const code = codeOf(error);
  if (RESET.includes(code)) return 'reset';
  // One code covers connections that end ("other side closed", "closed") and bad responses ("bad response", "bad upgrade").
  if (code === 'UND_ERR_SOCKET') return (error as Error).message.startsWith('bad') ? 'bad_response' : 'reset';
  // TLS 1.3 rejects a client without a certificate only after the handshake.
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return 'tls';
  return 'bad_response';
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | null)?.code ?? '');
}
