import { isLoopback, literalAddress } from '../kernel/publicAddress.ts';

/** A host of this installation. `port` is empty for the default port of http and https. */
export interface OwnHost {
  hostname: string;
  port: string;
  /** Whether this is a name or address of loopback: in development, each of them can stand for the base host. */
  isLoopback: boolean;
}

/** The ports of URLs that mean a host without a port. */
const DEFAULT_PORTS = ['', '80', '443'];

/** Parses `host` or `host:port`, as it stands in a URL. */
export function parseOwnHost(host: string): OwnHost {
  const { hostname, port } = new URL(`http://${host}`);
  return { hostname, port, isLoopback: isLoopbackHost(hostname) };
}

/** Whether a host name and port of a URL mean this own host. Every spelling of loopback is one host. */
export function isOwnHost(hostname: string, port: string, own: OwnHost): boolean {
  if (hostname !== own.hostname && !(own.isLoopback && isLoopbackHost(hostname))) return false;
  return own.port === '' ? DEFAULT_PORTS.includes(port) : port === own.port;
}

function isLoopbackHost(hostname: string): boolean {
  const literal = literalAddress(hostname);
  return literal ? isLoopback(literal) : /(^|\.)localhost$/.test(hostname);
}
