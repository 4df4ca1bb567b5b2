import { AddressPlan } from './AddressPlan.ts';
import { DESKTOPS } from './agents.ts';
import type { Assumptions } from './assumptions.ts';
import { COUNTRIES, FOREIGN_LANGUAGES } from './countries.ts';
import type { Draws } from './Draws.ts';
import { makePad, makePhone } from './makePhone.ts';
import { makeStays } from './makeStays.ts';
import type { Home, Person, Places } from './Person.ts';
import type { Browser, Phone } from './Phone.ts';

/** At least so many people, home by home, and where each is during the days from `startMs` (midnight) on. */
export function makePeople(draws: Draws, count: number, startMs: number, assumed: Assumptions): Person[] {
  const plan = new AddressPlan(draws, count, assumed);
  const people: Person[] = [];
  while (people.length < count) {
    const home = makeHome(draws, plan, assumed);
    const size = 1 + draws.placeOf(assumed.homeSizes);
    for (let one = 0; one < size; one += 1) {
      const person = makePerson(draws, home, people.length, assumed);
      person.stays = makeStays(draws, placesOf(draws, plan, home, assumed), startMs, assumed);
      home.people.push(person);
      people.push(person);
    }
  }
  return people;
}

function makeHome(draws: Draws, plan: AddressPlan, { foreignHome }: Assumptions): Home {
  const country = draws.weighed(COUNTRIES.map((each) => [each, each.share]));
  const language = draws.chance(foreignHome) ? draws.pick(FOREIGN_LANGUAGES) : country.language;
  return { country, language, network: plan.home(country), people: [] };
}

function makePerson(draws: Draws, home: Home, number: number, assumed: Assumptions): Person {
  const { country } = home;
  const language = draws.chance(assumed.foreignPerson) ? draws.pick(FOREIGN_LANGUAGES) : home.language;
  const like = home.people[0]?.phone ?? null;
  const own: Phone['platform'] = draws.chance(assumed.ios) ? 'ios' : 'android';
  const platform = like && draws.chance(assumed.platformLikeFirst) ? like.platform : own;
  const owner = { platform, country: country.code, language, zone: country.zone, like };
  return {
    number,
    home,
    phone: makePhone(draws, owner, assumed),
    pad: platform === 'ios' && draws.chance(assumed.macintoshPad) ? makePad(owner) : null,
    desktop: draws.chance(assumed.desktop) ? makeDesktop(draws, language) : null,
    interfaceId: Array.from({ length: 4 }, () => draws.whole(1, 0x1_00_00).toString(16)).join(':'),
    stays: [],
  };
}

function makeDesktop(draws: Draws, language: string): Browser {
  return { agent: draws.pick(DESKTOPS), acceptLanguage: `${language},en;q=0.8`, share: 1, isRelayed: false };
}

function placesOf(draws: Draws, plan: AddressPlan, { country, network }: Home, assumed: Assumptions): Places {
  const isWorker = draws.chance(assumed.worker);
  return {
    home: network,
    office: isWorker && draws.chance(assumed.officeWlan) ? plan.office(country) : null,
    venues: [plan.venue(country), plan.venue(country)],
    gateway: plan.gateway(country),
    vpn: draws.chance(assumed.vpn) ? plan.vpn() : null,
    hasHomeWlan: !draws.chance(assumed.noHomeWlan),
    isWorker,
    hasMobileIpv6: draws.chance(assumed.mobileIpv6),
    mobile6: country.phones6,
  };
}
