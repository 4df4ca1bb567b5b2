import type { Assumptions } from './assumptions.ts';
import { RELAY_BLOCK } from './countries.ts';
import type { Draws } from './Draws.ts';
import type { ClickEvent, OpenEvent, Tenant } from './events.ts';
import type { Network } from './Network.ts';
import { networkAt, type Person } from './Person.ts';
import type { Browser, Phone } from './Phone.ts';

const RELAY: Network = { kind: 'relay', v4: '', v6: null, v4Share: 1 };

/** Who follows links of whom, and with what. */
export interface Follower {
  person: Person;
  browser: Browser;
  /** Null: a desktop. */
  device: Phone | null;
  tenant: Tenant;
}

/** Makes what people do into requests from the address that they have at that moment. */
export class Requests {
  constructor(
    private readonly draws: Draws,
    private readonly assumed: Assumptions,
  ) {}

  click({ person, browser, device, tenant }: Follower, link: number, atMs: number): ClickEvent {
    const from = browser.isRelayed ? this.#relayed() : this.#from(person, atMs);
    const { agent, acceptLanguage } = browser;
    return { kind: 'click', atMs, tenant, person, device, link, agent, acceptLanguage, ...from };
  }

  /** The opening of an app that a click led to, after as long as people take. */
  openAfter(origin: ClickEvent, phone: Phone): OpenEvent {
    const { draws, assumed } = this;
    const delay = draws.weighed(assumed.delays);
    const seconds = 'logNormal' in delay ? draws.logNormal(delay.logNormal) : draws.logUniform(delay.logUniform);
    // Nobody has downloaded and opened an app sooner.
    const atMs = origin.atMs + Math.max(15, seconds) * 1000;
    return { ...this.open(origin.person, phone, origin.tenant, atMs), origin };
  }

  open(person: Person, phone: Phone, tenant: Tenant, atMs: number, usedAs?: string): OpenEvent {
    const installId = usedAs ?? this.newInstallId();
    const isFirst = usedAs === undefined;
    return { kind: 'open', atMs, tenant, person, phone, installId, isFirst, origin: null, ...this.#from(person, atMs) };
  }

  newInstallId(): string {
    return uuid(this.draws);
  }

  #from(person: Person, atMs: number): { network: Network; address: string } {
    const network = networkAt(person, atMs);
    const isV4 = network.v6 === null || this.draws.chance(network.v4Share);
    return { network, address: isV4 ? network.v4 : `${network.v6}:${person.interfaceId}` };
  }

  #relayed() {
    return { network: RELAY, address: `${RELAY_BLOCK}.${this.draws.whole(1, 255)}` };
  }
}

function uuid(draws: Draws): string {
  const digits = (count: number) => Array.from({ length: count }, () => draws.whole(0, 16).toString(16)).join('');
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`;
}
