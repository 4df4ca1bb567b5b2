import { domainToUnicode } from 'node:url';

/** A URL as the checks see it, parsed once. */
export interface Target {
  url: URL;
  /** http or https; the hosts of other schemes are names inside an app. */
  isWeb: boolean;
  /** The host in ASCII, without port and the dot that may end it. */
  host: string;
  /** The same as people read it: `xn--` labels decoded. */
  shownHost: string;
}

/** Null for what is no URL. */
export function parseTarget(text: string): Target | null {
  const url = URL.parse(text);
  if (!url) return null;
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const host = url.hostname.endsWith('.') ? url.hostname.replace(/\.+$/, '') : url.hostname;
  return { url, isWeb, host, shownHost: host.includes('xn--') ? domainToUnicode(host) : host };
}
