/** What is behind an address, in truth. */
export type NetworkKind = 'home' | 'office' | 'carrier' | 'public' | 'relay';

/** Where a device is in the network. IPv6 is its /64: of a home it is everybody's there, of a carrier the phone's own. */
export interface Network {
  kind: NetworkKind;
  v4: string;
  /** Four groups; null: IPv4 alone. */
  v6: string | null;
  /** Requests that go by IPv4 all the same. */
  v4Share: number;
}

/** Somebody is in a network from then on. */
export interface Stay {
  fromMs: number;
  network: Network;
}

/** What all devices of a network have in common: the address, or the /64. */
export function sharedPart(address: string): string {
  return address.includes(':') ? address.split(':').slice(0, 4).join(':') : address;
}
