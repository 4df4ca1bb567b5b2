import { expect } from 'chai';
import type { ClickDevice, DeviceFacts } from '../../../src/matching/deviceFacts.ts';
import { type AddressFacts, scoreClick, sumOf, THRESHOLD } from '../../../src/matching/score.ts';

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

const OWN: AddressFacts = { isShared: false, visitors: 1 };

/** By the name of the factor; `sum`: of all. */
function pointsOf(click: Partial<ClickDevice> = {}, device: Partial<DeviceFacts> = {}, address = OWN): Points {
  const factors = scoreClick({ click: { ...CLICK, ...click }, device: { ...DEVICE, ...device }, address });
  return { ...Object.fromEntries(factors.map(({ name, points }) => [name, points])), sum: sumOf(factors) };
}

type Points = Record<string, number>;

describe('the score of a click', () => {
  it('is the sum of the points of its factors', () => {
    const points = {
      address: 60,
      platform: 5,
      os_version: 15,
      device_model: 10,
      language: 10,
      timezone: 5,
      screen: 10,
    };
    expect(pointsOf()).to.deep.equal({ ...points, recency: 10, sum: 125 });
  });

  it('is at most 65 without the address, which is not enough', () => {
    expect(pointsOf({}, {}, { isShared: true, visitors: 1 })).to.include({ address: 0, sum: 65 });
    expect(THRESHOLD).to.equal(70);
  });

  it('leaves out what one side says nothing of', () => {
    const nothing = { osVersion: null, deviceModel: null, language: null, timezone: null, screen: null };
    const least = { address: 60, platform: 5, recency: 10, sum: 75 };
    expect(pointsOf({ ...nothing, country: null })).to.deep.equal(least);
    expect(pointsOf({}, nothing)).to.deep.equal(least);
  });

  it('gives for each fact what the comparison says', () => {
    const table: [string, number, Partial<ClickDevice>, Partial<DeviceFacts>?][] = [
      ['platform', -100, { platform: 'android' }],
      ['os_version', 5, { osVersion: '18' }],
      ['os_version', -40, { osVersion: '18.5' }],
      ['device_model', -60, { deviceModel: 'iPad' }],
      ['language', 5, { language: 'de' }],
      ['language', -20, { language: 'en-de' }],
      ['timezone', -10, { timezone: null, country: 'US' }],
      ['timezone', 5, { timezone: null, country: 'DE' }],
      ['timezone', -20, { timezone: 'Europe/Paris' }],
      ['screen', -40, { screen: { ...SCREEN, width: 430 } }],
    ];
    const all = pointsOf();
    for (const [name, points, click, device] of table) {
      const sum = Number(all.sum) - Number(all[name]) + points;
      expect(pointsOf(click, device), JSON.stringify(click)).to.deep.equal({ ...all, [name]: points, sum });
    }
  });

  it('is lower the more people clicked from the address', () => {
    const table: [visitors: number, points: number][] = [
      [0, 60],
      [1, 60],
      [2, 54],
      [8, 18],
      [11, 0],
      [Number.POSITIVE_INFINITY, 0],
    ];
    for (const [visitors, points] of table)
      expect(pointsOf({}, {}, { isShared: false, visitors }), String(visitors)).to.include({ address: points });
  });

  it('is higher for younger clicks: 10 at once, 0 after 6 minutes, -10 after 18, -25 from an hour on', () => {
    const table: [seconds: number, points: number][] = [
      [0, 10],
      [60, 8],
      [120, 6],
      [360, 0],
      [1080, -10],
      [3600, -25],
      [86_400, -25],
      [-60, 10],
    ];
    for (const [seconds, points] of table)
      expect(pointsOf({ clickedAt: AT - seconds * 1000 }), `${seconds} s`).to.include({ recency: points });
  });
});
