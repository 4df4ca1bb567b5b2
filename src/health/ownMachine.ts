import { isLoopback, literalAddress } from '../kernel/publicAddress.ts';

/** Whether a host, as in a URL, is this machine by its very name: that is so where things are tried out. */
export function isOwnMachine(host: string): boolean {
  const { hostname } = new URL(`http://${host}`);
  const literal = literalAddress(hostname);
  if (literal !== null) return isLoopback(literal);
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}
