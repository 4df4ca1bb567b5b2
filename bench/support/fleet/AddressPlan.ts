import type { Assumptions } from './assumptions.ts';
import { COUNTRIES, type Country, VPN_BLOCK } from './countries.ts';
import type { Draws } from './Draws.ts';
import type { Network } from './Network.ts';

interface Gateway {
  addresses: string[];
  /** Of the fleet. */
  people: number;
}

/** Gives out addresses: homes side by side in their networks, offices until they are full, carriers by gateways. */
export class AddressPlan {
  readonly #homes = new Map<Country, { block: string; group: string; used: number }>();
  readonly #offices = new Map<Country, { network: Network; free: number }>();
  readonly #gateways = new Map<Country, Gateway[]>();
  readonly #venues = new Map<Country, Network[]>();

  constructor(
    private readonly draws: Draws,
    people: number,
    private readonly assumed: Assumptions,
  ) {
    for (const country of COUNTRIES) {
      const there = people * country.share;
      this.#gateways.set(country, this.#newGateways(country, there));
      this.#venues.set(
        country,
        times(there / assumed.peoplePerVenue, () => this.#fixed('public', country)),
      );
    }
  }

  /** Another household; IPv6 comes as a /56, of which the first /64 is used. */
  home(country: Country): Network {
    const { draws, assumed } = this;
    let there = this.#homes.get(country);
    if (!there || there.used >= assumed.homesPerNetwork) {
      const [first, second, blocks] = country.homes;
      const block = `${first}.${second + draws.whole(0, blocks)}.${draws.whole(0, 256)}`;
      there = { block, group: draws.whole(0x10, 0x1_00_00).toString(16), used: 0 };
      this.#homes.set(country, there);
    }
    there.used += 1;
    const place = there.used * Math.floor(250 / assumed.homesPerNetwork);
    const isDual = draws.chance(assumed.homeDualStack);
    const v6 = isDual ? `${country.homes6}:${there.group}:${(place * 256).toString(16)}` : null;
    return { kind: 'home', v4: `${there.block}.${place}`, v6, v4Share: isDual ? assumed.otherFamily : 1 };
  }

  /** The office of one more worker. */
  office(country: Country): Network {
    const { officeStaff, officeKnows } = this.assumed;
    let there = this.#offices.get(country);
    if (!there || there.free < 1) {
      const free = Math.max(1, this.draws.logUniform(officeStaff) * officeKnows);
      there = { network: this.#fixed('office', country), free };
      this.#offices.set(country, there);
    }
    there.free -= 1;
    return there.network;
  }

  venue(country: Country): Network {
    return this.draws.pick(this.#venues.get(country) ?? []);
  }

  gateway(country: Country): string[] {
    const there = this.#gateways.get(country) ?? [];
    return this.draws.weighed(there.map((gateway) => [gateway, gateway.people])).addresses;
  }

  vpn(): Network {
    return {
      kind: 'relay',
      v4: `${VPN_BLOCK}.${this.draws.whole(1, this.assumed.vpnExits + 1)}`,
      v6: null,
      v4Share: 1,
    };
  }

  #fixed(kind: 'office' | 'public', { offices }: Country): Network {
    const third = kind === 'office' ? this.draws.whole(0, 128) : this.draws.whole(128, 256);
    return { kind, v4: `${offices}.${third}.${this.draws.whole(1, 255)}`, v6: null, v4Share: 1 };
  }

  /** As many as it takes to serve so many people, some of them crowded. */
  #newGateways({ carriers: [block, from, to] }: Country, people: number): Gateway[] {
    const { draws, assumed } = this;
    const gateways: Gateway[] = [];
    for (let left = people; left > 0; left -= gateways.at(-1)?.people ?? 0) {
      const start = `${block}.${draws.whole(from, to)}`;
      const addresses = times(assumed.gatewayAddresses, () => `${start}.${draws.whole(1, 255)}`);
      gateways.push({ addresses, people: draws.logUniform(assumed.peoplePerCarrierAddress) * addresses.length });
    }
    return gateways;
  }
}

/** At least one. */
function times<Made>(count: number, make: () => Made): Made[] {
  return Array.from({ length: Math.max(1, Math.round(count)) }, make);
}
