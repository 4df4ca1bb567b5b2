import type { Assumptions } from './assumptions.ts';
import type { Draws } from './Draws.ts';
import type { Network, Stay } from './Network.ts';
import type { Places } from './Person.ts';

const HOUR_MS = 3_600_000;

/** Where somebody is during the days that begin at `startMs` (midnight): at home, under way, at work, out. */
export function makeStays(draws: Draws, places: Places, startMs: number, assumed: Assumptions): Stay[] {
  const { vpn } = places;
  if (vpn) return [{ fromMs: startMs, network: vpn }];
  const stays: Stay[] = [];
  for (let day = 0; day < assumed.days; day += 1) {
    const at = (hour: number) => startMs + (day * 24 + hour) * HOUR_MS;
    for (const [hour, where] of dayOf(draws, places, assumed)) stays.push({ fromMs: at(hour), network: where });
  }
  return changingAddresses(draws, places, stays, startMs + assumed.days * 24 * HOUR_MS, assumed);
}

/** Stands for the mobile network until an address is chosen. */
const MOBILE: Network = { kind: 'carrier', v4: '', v6: null, v4Share: 1 };

/** Hours of the day from which on somebody is somewhere else. */
function dayOf(draws: Draws, places: Places, assumed: Assumptions): [number, Network][] {
  const home = places.hasHomeWlan ? places.home : MOBILE;
  const out = () => (draws.chance(assumed.venueWlan) ? draws.pick(places.venues) : MOBILE);
  const day: [number, Network][] = [[0, home]];
  const goOut = (from: number, hours: number) => day.push([from, out()], [from + hours, home]);
  if (places.isWorker) {
    const leaves = 7.5 + 0.7 * draws.normal();
    const returns = 17 + draws.normal();
    day.push([leaves, MOBILE], [leaves + 0.5, places.office ?? MOBILE], [returns, MOBILE], [returns + 0.5, home]);
    if (draws.chance(0.25)) goOut(returns + 1.5, draws.between(0.7, 2));
  } else {
    goOut(draws.between(9, 12), draws.between(0.7, 2.5));
    if (draws.chance(0.6)) goOut(draws.between(14.6, 19), draws.between(0.5, 2));
  }
  return day;
}

/** Of the mobile network a phone gets another address each time, and now and then meanwhile. */
function changingAddresses(
  draws: Draws,
  { gateway, hasMobileIpv6, mobile6 }: Places,
  stays: readonly Stay[],
  endMs: number,
  { carrierAddressHours, mobileOtherFamily }: Assumptions,
): Stay[] {
  const group = () => draws.whole(1, 0x1_00_00).toString(16);
  const address = (): Network => ({
    kind: 'carrier',
    v4: draws.pick(gateway),
    v6: hasMobileIpv6 ? `${mobile6}:${group()}:${group()}` : null,
    v4Share: hasMobileIpv6 ? mobileOtherFamily : 1,
  });
  return stays.flatMap(({ fromMs, network }, place) => {
    if (network !== MOBILE) return [{ fromMs, network }];
    const untilMs = stays[place + 1]?.fromMs ?? endMs;
    const parts: Stay[] = [];
    for (let atMs = fromMs; atMs < untilMs; atMs += draws.exponential(carrierAddressHours) * HOUR_MS)
      parts.push({ fromMs: atMs, network: address() });
    return parts;
  });
}
