/** Whoever signs in or up, as far as the request tells. */
export interface Client {
  /** For throttling alone; it is stored nowhere. */
  address: string;
  /** The connection came from this machine, by a proxy or not. */
  isFromThisMachine: boolean;
  /** Its User-Agent header. */
  userAgent: string | undefined;
  /** Its cookie of accounts that it signed in to before: see knownBrowsers. */
  knownBrowsers: string | undefined;
}

/** What a browser is given at the beginning of a session: the session's token, and its cookie of known accounts. */
export interface BegunSession {
  token: string;
  knownBrowsers: string;
}
