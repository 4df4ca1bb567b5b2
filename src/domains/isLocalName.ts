/** Names of this machine, which no name server is asked about (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}
