import type { Principal } from '../src/access/principal.ts';
import type { BegunSession, Client } from '../src/services/accounts/Client.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** A body that was written to a file while it came; `remove` deletes it when the request is answered. */
export interface Upload {
  path: string;
  bytes: number;
  sha256: string;
  remove(): Promise<void>;
}

/** What resolvers know of the request. */
export interface Context {
  principal: Principal;
  requestId: string;
  loaders: Loaders;
  /** The arguments were validated by whoever asks (the facade, in the spelling of its own surface). */
  validated: boolean;
  /** Address of the asking client, for throttling alone. */
  clientAddress: string;
  /** The connection came from this machine, by a proxy or not. Only requests of browsers tell. */
  isFromThisMachine?: boolean;
  /** The User-Agent header; sessions are known by it in their list. */
  userAgent?: string | undefined;
  /** The CSV file that came as the body of a REST request. */
  upload?: Upload;
  /** Sets the session cookie, or clears it with null. Only requests of browsers have it. */
  setSession?: (token: string | null) => void;
  /** The cookie of accounts that the browser signed in to before; and what sets it. */
  knownBrowsers?: string | undefined;
  setKnownBrowsers?: (value: string) => void;
}

export function createContext(given: Omit<Context, 'loaders'>): Context {
  return { ...given, loaders: createLoaders() };
}

/** Who asks, for those who are not signed in yet. */
export function clientOf({ clientAddress, isFromThisMachine = false, userAgent, knownBrowsers }: Context): Client {
  return { address: clientAddress, isFromThisMachine, userAgent, knownBrowsers };
}

/** Hands the browser what a session begins with. */
export function beginIn({ setSession, setKnownBrowsers }: Context, { token, knownBrowsers }: BegunSession): void {
  setSession?.(token);
  setKnownBrowsers?.(knownBrowsers);
}
