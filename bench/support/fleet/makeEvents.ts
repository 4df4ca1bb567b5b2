import { picker, zipf } from '../random.ts';
import type { Assumptions } from './assumptions.ts';
import type { Draws } from './Draws.ts';
import type { ClickEvent, FleetEvent, Tenant } from './events.ts';
import { momentOf } from './momentOf.ts';
import { networkAt, type Person } from './Person.ts';
import type { Browser, Phone } from './Phone.ts';
import { type Follower, Requests } from './Requests.ts';

const MINUTE_MS = 60_000;
const TENANTS: Tenant[] = ['own', 'neighbour'];

/** Somebody follows one or several links with one device, and may install the app then. */
interface Session {
  person: Person;
  tenant: Tenant;
  atMs: number;
  /** The first link; undefined: any. */
  link?: number;
  installs: boolean;
}

/** Everything that people do from `startMs` (midnight) to the end of the last day, in the order of time. */
export function makeEvents(
  draws: Draws,
  people: readonly Person[],
  startMs: number,
  assumed: Assumptions,
): FleetEvent[] {
  const fleet = new Fleet(draws, startMs, assumed);
  for (const person of people) fleet.use(person);
  for (const person of people) fleet.live(person);
  fleet.installBeside();
  for (const tenant of TENANTS) fleet.installByThemselves(people, tenant);
  const endMs = startMs + assumed.days * 1440 * MINUTE_MS;
  const events = fleet.events.filter(({ atMs }) => atMs < endMs).sort((one, other) => one.atMs - other.atMs);
  let lastMs = 0;
  for (const event of events) {
    event.atMs = Math.max(Math.round(event.atMs), lastMs + 1);
    lastMs = event.atMs;
  }
  creditLastClicks(events);
  return events;
}

/** Of several links the last one counts (api.md §9): whatever somebody had in mind, and in whichever browser of the phone. */
function creditLastClicks(events: readonly FleetEvent[]): void {
  const last = new Map<string, ClickEvent>();
  for (const event of events) {
    const key = `${event.tenant} ${event.person.number}`;
    if (event.kind === 'open') {
      if (event.origin) event.origin = last.get(key) ?? event.origin;
    } else if (event.device) last.set(key, event);
  }
}

class Fleet {
  readonly events: FleetEvent[] = [];
  /** Who followed links of a tenant, and who has its app. */
  readonly #followers = { own: new Set<Person>(), neighbour: new Set<Person>() };
  readonly #installers = { own: new Set<Person>(), neighbour: new Set<Person>() };
  readonly #linkOf: Record<Tenant, () => number>;
  readonly #requests: Requests;
  readonly #besides: { others: Person[]; tenant: Tenant; atMs: number }[] = [];

  constructor(
    private readonly draws: Draws,
    private readonly startMs: number,
    private readonly assumed: Assumptions,
  ) {
    const [own = 1, neighbour = 1] = assumed.links;
    const linkOf = (count: number) => picker(draws.random, [...Array(count).keys()], zipf(assumed.linkSkew));
    this.#linkOf = { own: linkOf(own), neighbour: linkOf(neighbour) };
    this.#requests = new Requests(draws, assumed);
  }

  /** Somebody may have the app already. */
  use(person: Person): void {
    const { draws, assumed } = this;
    if (!draws.chance(assumed.users)) return;
    this.#installers.own.add(person);
    const installId = this.#requests.newInstallId();
    for (let left = draws.whole(...(assumed.opensOfUser as [number, number])); left > 0; left -= 1) {
      const atMs = this.startMs + momentOf(draws, assumed.days);
      this.events.push(this.#requests.open(person, person.phone, 'own', atMs, installId));
    }
  }

  live(person: Person): void {
    const { draws, assumed } = this;
    for (let left = draws.placeOf(assumed.sessions); left > 0; left -= 1) {
      const tenant = draws.chance(assumed.neighbour) ? 'neighbour' : 'own';
      const atMs = this.startMs + momentOf(draws, assumed.days);
      const installs = draws.chance(assumed.installs);
      const link = this.#follow({ person, tenant, atMs, installs });
      if (networkAt(person, atMs).kind === 'home') this.#tellFamily({ person, tenant, atMs, link, installs });
    }
  }

  /** Installs at home that no link led to, while a housemate's click is young. Of who followed no link and has no app yet. */
  installBeside(): void {
    for (const { others, tenant, atMs } of this.#besides) {
      const strangers = others.filter(
        (each) => !this.#followers[tenant].has(each) && !this.#installers[tenant].has(each),
      );
      if (strangers.length > 0) this.#installUnled(this.draws.pick(strangers), tenant, atMs);
    }
  }

  /** Installs without a click, so many that they are the share of all; of people who followed no link of the tenant. */
  installByThemselves(people: readonly Person[], tenant: Tenant): void {
    const { draws, assumed } = this;
    const count = (this.#installers[tenant].size * assumed.organic) / (1 - assumed.organic);
    const others = people.filter((person) => !this.#followers[tenant].has(person));
    for (let made = 0; made < count && others.length > 0; made += 1) {
      const [person] = others.splice(draws.whole(0, others.length), 1);
      if (person) this.#installUnled(person, tenant, this.startMs + momentOf(draws, assumed.days));
    }
  }

  #installUnled(person: Person, tenant: Tenant, atMs: number): void {
    this.#installers[tenant].add(person);
    this.events.push(this.#requests.open(person, person.phone, tenant, atMs));
  }

  /** Gives the first link. */
  #follow({ person, tenant, atMs, link, installs }: Session): number {
    const { draws, assumed } = this;
    const [browser, device] = this.#browser(person);
    const follower: Follower = { person, browser, device, tenant };
    const first = link ?? this.#linkOf[tenant]();
    const clicks = [this.#requests.click(follower, first, atMs)];
    if (draws.chance(assumed.sameLinkAgain)) {
      clicks.push(this.#requests.click(follower, first, atMs + draws.between(8_000, 120_000)));
    }
    if (draws.chance(assumed.severalLinks)) {
      let laterMs = (clicks.at(-1) as ClickEvent).atMs;
      for (let more = draws.whole(1, 3); more > 0; more -= 1) {
        laterMs += draws.logUniform([20_000, 600_000]);
        clicks.push(this.#requests.click(follower, this.#linkOf[tenant](), laterMs));
      }
    }
    this.events.push(...clicks);
    this.#followers[tenant].add(person);
    if (device && installs) this.#install(person, device, clicks);
    return first;
  }

  #install(person: Person, device: Phone, clicks: readonly ClickEvent[]): void {
    const last = clicks.at(-1) as ClickEvent;
    if (this.#installers[last.tenant].has(person)) return;
    this.#installers[last.tenant].add(person);
    this.events.push(this.#requests.openAfter(last, device));
  }

  /** What one does at home has the others do something now and then. */
  #tellFamily({ person, tenant, atMs, link, installs }: Session): void {
    const { draws, assumed } = this;
    const others = person.home.people.filter((each) => each !== person && networkAt(each, atMs).kind === 'home');
    if (draws.chance(assumed.familyChat)) {
      for (const other of others) {
        if (!draws.chance(assumed.chatFollows)) continue;
        const later = { atMs: atMs + draws.between(20_000, 10 * MINUTE_MS), installs: draws.chance(assumed.installs) };
        this.#follow({ person: other, tenant, ...(link === undefined ? {} : { link }), ...later });
      }
    }
    if (draws.chance(assumed.organicBeside)) {
      this.#besides.push({ others, tenant, atMs: atMs + draws.between(0, 90 * MINUTE_MS) });
    }
    const [other] = others;
    if (!installs || !other) return;
    if (draws.chance(assumed.secondInstaller)) {
      this.#follow({ person: other, tenant, atMs: atMs + draws.between(0, 30 * MINUTE_MS), installs: true });
    }
  }

  /** What somebody follows links with, and what an app would be installed on then; null: nothing. */
  #browser(person: Person): [Browser, Phone | null] {
    const { draws, assumed } = this;
    if (person.desktop && draws.chance(assumed.onDesktop)) return [person.desktop, null];
    const phone = person.pad && draws.chance(0.3) ? person.pad : person.phone;
    return [draws.weighed(phone.browsers.map((browser) => [browser, browser.share])), phone];
  }
}
