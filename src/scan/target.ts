import { domainToUnicode } from 'node:url';

/** A URL prepared for the checks, parsed once. */
export interface Target {
  url: URL;
  /** Whether the scheme is http or https; hosts of other schemes are names inside an app. */
  isWeb: boolean;
  /** The host in ASCII, without port and trailing dots. */
  host: string;
  /** The host as people read it, with `xn--` labels decoded. */
  shownHost: string;
}

/** Parses a URL; null if it is not one. */
export function parseTarget(text: string): Target | null {
  const url = URL.parse(text);
  if (!url) return null;
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const host = url.hostname.endsWith('.') ? url.hostname.replace(/\.+$/, '') : url.hostname;
  return { url, isWeb, host, shownHost: host.includes('xn--') ? domainToUnicode(host) : host };
}

/** A URL of a link. `path`: its place on the wire, such as `routing.rules.0.destination`. */
export interface ScannedUrl {
  path: string;
  url: string;
}
