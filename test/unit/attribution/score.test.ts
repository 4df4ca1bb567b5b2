// stores: none
import { expect } from 'chai';
import type { DeviceFacts } from '../../../src/attribution/decide/compareDevices.ts';
import { type Comparison, scoreClick, THRESHOLD } from '../../../src/attribution/decide/score.ts';
import type { ClickDevice } from '../../../src/clicks/matchClickStore.ts';
import { sumOf } from '../../../src/models/match.ts';

const AT = Date.UTC(2026, 10, 21, 12);
const SCREEN = { width: 393, height: 852, scale: 3 };

const DEVICE: DeviceFacts = {
  platform: 'ios',
  osVersion: '18.6.1',
  deviceModel: 'iPhone17,3',
  language: 'de-DE',
  timezone: 'Europe/Berlin',
  screen: SCREEN,
  openedAt: AT,
};

/** As alike as can be. */
const CLICK: ClickDevice = {
  platform: 'ios',
  osVersion: '18.6',
  deviceModel: 'iPhone',
  language: 'de-de',
  country: 'DE',
  timezone: 'Europe/Berlin',
  screen: SCREEN,
  clickedAt: AT,
};

type AddressFacts = Pick<Comparison, 'isShared' | 'others'>;
const OWN: AddressFacts = { isShared: false, others: 0 };

/** By the name of the factor; `sum`: of all. */
function pointsOf(click: Partial<ClickDevice> = {}, device: Partial<DeviceFacts> = {}, address = OWN): Points {
  const factors = scoreClick({ click: { ...CLICK, ...click }, device: { ...DEVICE, ...device }, ...address });
  return { ...Object.fromEntries(factors.map(({ name, points }) => [name, points])), sum: sumOf(factors) };
}

type Points = Record<string, number>;

describe('the score of a click', () => {
  it('is the sum of the points of its factors', () => {
    const points = {
      address: 85,
      platform: 5,
      os_version: 20,
      device_model: 5,
      language: 10,
      timezone: 5,
      screen: 10,
    };
    expect(pointsOf()).to.deep.equal({ ...points, recency: 0, sum: 140 });
  });

  it('is at most 65 without the address, which is not enough', () => {
    const model = { deviceModel: 'iPhone17,3' };
    expect(pointsOf(model, model, { isShared: true, others: 0 })).to.include({
      address: 0,
      sum: 65,
    });
    expect(THRESHOLD).to.equal(70);
  });

  it('leaves out what one side says nothing of', () => {
    const nothing = { osVersion: null, deviceModel: null, language: null, timezone: null, screen: null };
    const least = { address: 85, platform: 5, recency: 0, sum: 90 };
    expect(pointsOf({ ...nothing, country: null })).to.deep.equal(least);
    expect(pointsOf({}, nothing)).to.deep.equal(least);
  });

  it('gives for each fact what the comparison says', () => {
    const table: [string, number, Partial<ClickDevice>, Partial<DeviceFacts>?][] = [
      ['platform', -100, { platform: 'android' }],
      ['os_version', 5, { osVersion: '18' }],
      ['os_version', -80, { osVersion: '18.5' }],
      ['device_model', -80, { deviceModel: 'iPad' }],
      ['device_model', 15, { deviceModel: 'iPhone17,3' }],
      ['language', 10, { language: 'de' }],
      ['language', -40, { language: 'en-de' }],
      ['timezone', -10, { timezone: null, country: 'US' }],
      ['timezone', 5, { timezone: null, country: 'DE' }],
      ['timezone', -80, { timezone: 'Europe/Paris' }],
      ['screen', -80, { screen: { ...SCREEN, width: 430 } }],
    ];
    const all = pointsOf();
    for (const [name, points, click, device] of table) {
      const sum = Number(all.sum) - Number(all[name]) + points;
      expect(pointsOf(click, device), JSON.stringify(click)).to.deep.equal({ ...all, [name]: points, sum });
    }
  });

  it('is lower the more phones are known at the address', () => {
    const table: [others: number, points: number][] = [
      [0, 85],
      [1, 45],
      [2, 40],
      [5, 25],
      [10, 0],
      [Number.POSITIVE_INFINITY, 0],
    ];
    for (const [others, points] of table)
      expect(pointsOf({}, {}, { isShared: false, others }), String(others)).to.include({ address: points });
  });

  it('is higher for younger clicks: -6 after 2 minutes, -12 after 6, -30 from an hour on', () => {
    const table: [seconds: number, points: number][] = [
      [0, 0],
      [60, -4],
      [120, -6],
      [360, -12],
      [840, -18],
      [3600, -30],
      [86_400, -30],
      [-60, 0],
    ];
    for (const [seconds, points] of table)
      expect(pointsOf({ clickedAt: AT - seconds * 1000 }), `${seconds} s`).to.include({ recency: points });
  });

  it('finds the reduced agent of Android over an hour where nobody else is known, and never beside others', () => {
    const reduced = {
      platform: 'android',
      osVersion: null,
      deviceModel: null,
      timezone: null,
      country: null,
      screen: null,
    };
    const pixel = { platform: 'android', osVersion: '15', deviceModel: 'Pixel 9', screen: null } as const;
    const sumAt = (seconds: number, others: number) =>
      Number(
        pointsOf({ ...reduced, clickedAt: AT - seconds * 1000 }, pixel, {
          isShared: false,
          others,
        }).sum,
      );
    for (const seconds of [60, 1200, 3600, 5400, 86_400]) expect(sumAt(seconds, 0)).to.be.at.least(THRESHOLD);
    for (const others of [1, 2, 5]) expect(sumAt(0, others)).to.be.below(THRESHOLD);
  });
});
