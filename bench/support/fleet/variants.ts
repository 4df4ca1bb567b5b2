import type { ClickDevice } from '../../../src/matching/deviceFacts.ts';
import type { Assumptions } from './assumptions.ts';
import { COUNTRIES, RELAY_BLOCK, VPN_BLOCK } from './countries.ts';
import type { ClickEvent } from './events.ts';
import type { Rules } from './matchInMemory.ts';

/** Other points for an outcome, named as `os_version 15`. */
function points(changed: Record<string, number>): Partial<Rules> {
  return { pointsOf: ({ name, points: usual }) => changed[`${name} ${usual}`] ?? usual };
}

const SHARED_BLOCKS = [...COUNTRIES.map(({ carriers: [block] }) => block), VPN_BLOCK, RELAY_BLOCK];
const isKnownShared = (address: string) => SHARED_BLOCKS.some((block) => address.startsWith(`${block}.`));

/** As it was before the fleet was there: no point less for further visitors, and never any for age. */
function flat(): Rules['pointsOf'] {
  return ({ name, points: usual }, { minutes }) => {
    if (name === 'recency') return Math.max(0, Math.round(10 - 2 * Math.log2(1 + minutes / 2)));
    return name === 'address' && usual > 0 ? 50 : usual;
  };
}

/** Without an end for old clicks, and other losses for each further visitor. */
function falling(slope: number, minutesOfOne: number, perVisitor: number): Rules['pointsOf'] {
  return ({ name, points: usual }, { minutes, visitors }) => {
    if (name === 'recency') return Math.round(10 - slope * Math.log2(1 + minutes / minutesOfOne));
    return name === 'address' && usual > 0 ? Math.max(0, 60 - perVisitor * (visitors - 1)) : usual;
  };
}

/** As if every click led by the page that tells zone and screen. */
function toldByPage({ device }: ClickEvent): Partial<ClickDevice> {
  return device ? { timezone: device.told.timezone, screen: device.told.screen } : {};
}

/** Chrome on Android asked for its system and model (client hints). */
function toldByHints({ agent, device }: ClickEvent): Partial<ClickDevice> {
  const isAsked = agent.includes('Android 10; K') && !agent.includes('SamsungBrowser');
  return isAsked && device ? { osVersion: device.told.os_version, deviceModel: device.told.device_model } : {};
}

/** One thing changed at a time, then some together. */
export const RULES: Record<string, Partial<Rules>> = {
  'as it is': {},
  ...each([65, 68, 72, 75, 80], (threshold) => [`threshold ${threshold}`, { threshold }]),
  ...each([0, 5, 8, 12, 15], (margin) => [`margin ${margin}`, { margin }]),
  ...each([2, 4, 6, 15], (sharedVisitors) => [`shared above ${sharedVisitors}`, { sharedVisitors }]),
  ...each([15, 30, 120, 1440], (minutes) => [`window ${minutes} min`, { windowMs: minutes * 60_000 }]),
  'language same 5': points({ 'language 10': 5 }),
  'timezone same 0': points({ 'timezone 5': 0 }),
  'os_version same 20': points({ 'os_version 15': 20 }),
  'network data': { isKnownShared },
  'flat, margin 5': { pointsOf: flat(), margin: 5 },
  'less steep, 4 a visitor, margin 8': { pointsOf: falling(8, 4, 4), margin: 8 },
  '4 a visitor': { pointsOf: falling(10, 6, 4) },
  '8 a visitor': { pointsOf: falling(10, 6, 8) },
  'Chrome tells its model': { more: toldByHints },
  'each page tells': { more: toldByPage },
};

/** Fleets that are otherwise than assumed. */
export const FLEETS: Record<string, Partial<Assumptions>> = {
  'as assumed': {},
  'half as many clicks': { sessions: [0.75, 0.17, 0.06, 0.02] },
  'twice as many clicks': { sessions: [0.2, 0.3, 0.25, 0.15, 0.1] },
  '10 % organic': { organic: 0.1 },
  '50 % organic': { organic: 0.5 },
  'one in ten tells another at home': { toldAtHome: 0.1 },
  'several links twice as often': { severalLinks: 0.12 },
  'the last link always leads': { lastLeads: 1 },
  'one link': { links: [1, 1] },
  'carriers with few': { peoplePerCarrierAddress: [2, 15] },
  'carriers with many': { peoplePerCarrierAddress: [200, 2000] },
  'no IPv6': { homeDualStack: 0, mobileIpv6: 0 },
  'half take their time': { slow: 0.5 },
};

function each(
  values: readonly number[],
  rule: (value: number) => [name: string, rules: Partial<Rules>],
): Record<string, Partial<Rules>> {
  return Object.fromEntries(values.map(rule));
}
