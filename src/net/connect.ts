import type { LookupAddress } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { servedPorts } from '../kernel/origins.ts';
import { type AddressOptions, addressProblem, isOfInterface, literalAddress } from '../kernel/publicAddress.ts';
import { ConnectFailure, isOurs } from './connectFailure.ts';
import type { Resolver } from './resolver.ts';

/** Before the next address of a host is tried instead; the default of 250 ms gives up on far but healthy receivers. */
const NEXT_ADDRESS_AFTER_MS = 1000;

export interface ConnectTarget {
  protocol: string;
  /** A name, or an address without brackets. */
  hostname: string;
  port: number;
}

export interface ConnectOptions {
  resolver: Resolver;
  allowPrivate: boolean;
  /** Ends the resolving, the connecting and the TLS handshake. */
  signal: AbortSignal;
}

/**
 * A connection to a vetted address, over TLS where `protocol` is `https:`. Rejects with `ConnectFailure`, or with the
 * system's own error when the fault is ours (no free descriptors).
 */
export async function openSocket(target: ConnectTarget, options: ConnectOptions): Promise<Socket> {
  throwIfLate(options.signal);
  const addresses = await vettedAddresses(target, options);
  throwIfLate(options.signal);
  return established(dial(target, addresses), target, options);
}

/** A signal that is aborted already raises no event any more. */
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
  // One bad address refuses them all: which of them would be connected to is not ours to say.
  for (const { address } of addresses) {
    const problem = vet(address, port, { allowPrivate, isWritten: literal !== null });
    if (problem) throw new ConnectFailure('blocked_address', literal ? problem : notPublic(hostname));
  }
  return addresses;
}

/** Other sites on this machine are reached from outside too: nothing is gained by reaching them from inside. */
const PUBLIC_PORTS = [80, 443];

/**
 * Why an address may not be connected to at that port; null when it may. A firewall before this machine does not stand
 * between the machine and itself, so its own addresses are good for ports alone that are meant for everybody.
 */
export function vet(address: string, port: number, options: AddressOptions, interfaces?: Interfaces): string | null {
  const problem = addressProblem(address, options);
  if (problem || options.allowPrivate || PUBLIC_PORTS.includes(port)) return problem;
  if (!isOfInterface(address, interfaces) || servedPorts().includes(port)) return null;
  return `${address} is an address of this service itself, where port ${port} cannot be used.`;
}

type Interfaces = Parameters<typeof isOfInterface>[1];

/** Which address it is, is not told: whoever has a name server could look names up inside our network. */
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
  // The system is not asked again: a second answer could differ from the one that was vetted.
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
    // Said, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
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
    // This listener stays: without one, an error between two requests would end the process.
    socket.on('error', (error) =>
      fail(isOurs(error) ? error : new ConnectFailure(isConnected ? 'tls' : 'connect', error)),
    );
    socket.once('close', () => fail(new ConnectFailure(isConnected ? 'tls' : 'connect', 'closed at once')));
  });
}
