import type { Principal } from '../src/access/principal.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What resolvers know of the request. */
export interface Context {
  principal: Principal;
  requestId: string;
  loaders: Loaders;
  /** The arguments were validated by whoever asks (the facade, in the spelling of its own surface). */
  validated: boolean;
  /** Address of the asking client, for throttling alone. */
  clientAddress: string;
  /** Sets the session cookie, or clears it with null. Only requests of browsers have it. */
  setSession?: (token: string | null) => void;
}

export function createContext(given: Omit<Context, 'loaders'>): Context {
  return { ...given, loaders: createLoaders() };
}
