import type { Country } from './countries.ts';
import type { Network, Stay } from './Network.ts';
import type { Browser, Phone } from './Phone.ts';

export interface Person {
  /** From 0. */
  number: number;
  home: Home;
  phone: Phone;
  /** An iPad that says Macintosh. */
  pad: Phone | null;
  desktop: Browser | null;
  /** The last half of the IPv6 addresses of the phone. */
  interfaceId: string;
  /** Where the person is, in the order of time. */
  stays: Stay[];
}

export interface Home {
  country: Country;
  language: string;
  network: Network;
  people: Person[];
}

/** What somebody's life goes on between; null: not there. */
export interface Places {
  home: Network;
  office: Network | null;
  venues: Network[];
  /** Addresses of the carrier's gateway. */
  gateway: string[];
  vpn: Network | null;
  hasHomeWlan: boolean;
  isWorker: boolean;
  hasMobileIpv6: boolean;
  /** First two groups of the carrier's /64s. */
  mobile6: string;
}

/** The network that the person is in at that time (milliseconds). */
export function networkAt({ stays }: Person, atMs: number): Network {
  const stay = stays.findLast(({ fromMs }) => fromMs <= atMs) ?? stays[0];
  if (!stay) throw new Error('Everybody is somewhere');
  return stay.network;
}
