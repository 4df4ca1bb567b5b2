import { POINTS, type Points } from '../../../src/attribution/decide/score.ts';
import type { ClickDevice } from '../../../src/clicks/matchClickStore.ts';
import type { Assumptions } from './assumptions.ts';
import { COUNTRIES, RELAY_BLOCK, VPN_BLOCK } from './countries.ts';
import type { ClickEvent } from './events.ts';
import type { Rules } from './matchInMemory.ts';

/** Other points, by factor and outcome. */
function points(changed: { [Factor in keyof Points]?: Partial<Points[Factor]> }): Partial<Rules> {
  const names = Object.keys(POINTS) as (keyof Points)[];
  const merged = names.map((name) => [name, { ...POINTS[name], ...changed[name] }]);
  return { points: Object.fromEntries(merged) as Points };
}

const SHARED_BLOCKS = [...COUNTRIES.map(({ carriers: [block] }) => block), VPN_BLOCK, RELAY_BLOCK];
const isKnownShared = (address: string) => SHARED_BLOCKS.some((block) => address.startsWith(`${block}.`));

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
  'language says nothing': points({ language: { same: 0, related: 0, different: 0 } }),
  'timezone says nothing': points({ timezone: { same: 0, unlikely: 0 } }),
  'network data': { isKnownShared },
  'other phones say nothing': points({ address: { first: 0, further: 0 } }),
  'nothing beside other phones': points({ address: { first: -85 } }),
  'age says nothing': points({ recency: { each: 0 } }),
  'reduced agents for half an hour': points({ address: { alone: 75 }, recency: { each: -7, least: -45 } }),
  'reduced agents for a quarter of an hour': points({ address: { alone: 68 }, recency: { each: -7, least: -45 } }),
  'Chrome tells its model': { more: toldByHints },
  'each page tells': { more: toldByPage },
};

/** Fleets that are otherwise than assumed. */
export const FLEETS: Record<string, Partial<Assumptions>> = {
  'as assumed': {},
  'half of all homes are of one, nobody has the app': {
    homeSizes: [0.75, 0.12, 0.06, 0.05, 0.02],
    users: 0,
    organicBeside: 0.05,
  },
  'mostly homes of one, all take a minute to ninety': {
    ...{ homeSizes: [0.8, 0.08, 0.06, 0.04, 0.02], homeDualStack: 0, users: 0, organicBeside: 0.05 },
    ...{ sessions: [0.2, 0.5, 0.2, 0.1], installs: 0.6, delays: [[{ logUniform: [60, 5400] }, 1]] },
  },
  'nobody has the app yet': { users: 0, organicBeside: 0.05 },
  'families buy and update alike': { versionLikeFirst: 0.8, modelLikeFirst: 0.4, platformLikeFirst: 0.7 },
  'half as many clicks': { sessions: [0.75, 0.17, 0.06, 0.02] },
  'twice as many clicks': { sessions: [0.2, 0.3, 0.25, 0.15, 0.1] },
  '10 % organic': { organic: 0.1 },
  '50 % organic': { organic: 0.5 },
  'organic beside clickers twice as often': { organicBeside: 0.07 },
  'several links twice as often': { severalLinks: 0.16 },
  'one link': { links: [1, 1] },
  'carriers with few': { peoplePerCarrierAddress: [2, 15] },
  'carriers with many': { peoplePerCarrierAddress: [200, 2000] },
  'no IPv6': { homeDualStack: 0, mobileIpv6: 0 },
  'all take a minute to ninety': { delays: [[{ logUniform: [60, 5400] }, 1]] },
  'the reduced agent alone on Android': { androidBrowsers: { chrome: 0.9, samsung: 0.1, firefox: 0, inApp: 0 } },
};

function each(
  values: readonly number[],
  rule: (value: number) => [name: string, rules: Partial<Rules>],
): Record<string, Partial<Rules>> {
  return Object.fromEntries(values.map(rule));
}
