// stores: none
import { expect } from 'chai';
import { othersAtAddress, type SeenInstall } from '../../../src/attribution/decide/peopleAtAddress.ts';
import type { MatchClick } from '../../../src/clicks/matchClickStore.ts';
import { AT, clickOf as clickOfPhone, HOUR_MS } from '../../support/matchCandidates.ts';

/** What Chrome's reduced agent says of any phone. */
const clickOf = (more: Partial<MatchClick> = {}) =>
  clickOfPhone({ platform: 'android', osVersion: null, deviceModel: null, ...more });

const PHONE = { platform: 'ios', osVersion: '18.6', deviceModel: 'iPhone17,3', language: 'de-DE' } as const;
const DEVICE = { ...PHONE, timezone: null, screen: null, openedAt: AT };

const seenOf = (installId: string, more: Partial<SeenInstall> = {}): SeenInstall => {
  return { ...PHONE, installId, deviceModel: 'iPhone17,1', openedAt: AT - HOUR_MS, ...more };
};

describe('other phones at the address of a click', () => {
  const mine = clickOf();
  const other = (more: Partial<MatchClick> = {}) =>
    clickOf({ clickId: 'clk_2', linkId: 'lnk_2', visitor: 'visitor-2', ...more });
  const yesterday = { visitor: 'hash-of-yesterday', clickedAt: AT - 13 * HOUR_MS };

  const TABLE: [name: string, others: number, clicks: MatchClick[], seen?: SeenInstall[]][] = [
    ['are none where nobody else is known', 0, []],
    ['are no further clicks of the same visitor', 0, [clickOf({ clickId: 'clk_2', linkId: 'lnk_2' })]],
    ['are other visitors, also those whose clicks were used', 2, [other(), other({ visitor: 'v3', usedBy: 'a' })]],
    [
      'are whoever has the same browser and speaks another language',
      1,
      [other({ visitor: 'visitor-1', language: 'en' })],
    ],
    [
      'are also those who followed the same link',
      1,
      [other({ linkId: 'lnk_1' }), other({ linkId: 'lnk_1', usedBy: 'a' })],
    ],
    ['are no desktops', 0, [other({ platform: 'windows' }), other({ visitor: 'v3', platform: 'macos' })]],
    ['are not those of a day ago', 0, [other({ clickedAt: AT - 24 * HOUR_MS })], [seenOf('a', { openedAt: 0 })]],
    ['are not the same phone on the day before', 0, [other(yesterday)]],
    ['are another phone on the day before', 1, [other({ ...yesterday, deviceModel: 'Pixel 9' })]],
    ['are installs that were opened there', 2, [], [seenOf('a'), seenOf('b'), seenOf('a')]],
    ['are counted once where a click led to the install', 1, [other({ usedBy: 'a' })], [seenOf('a')]],
    [
      'are not the same phone with the app installed anew',
      1,
      [],
      [seenOf('a', PHONE), seenOf('b', { ...PHONE, language: 'en' })],
    ],
    ['are no apps in browsers', 0, [], [seenOf('a', { platform: 'web' })]],
  ];
  for (const [name, others, clicks, seen = []] of TABLE)
    it(name, () => expect(othersAtAddress([mine, ...clicks], seen, DEVICE)(mine)).to.equal(others));

  it('are all that are known, for a click that is too old to count itself', () => {
    const old = clickOf({ clickId: 'clk_0', linkId: 'lnk_0', clickedAt: AT - 25 * HOUR_MS, visitor: 'v0' });
    expect(othersAtAddress([old, mine], [seenOf('a')], DEVICE)(old)).to.equal(2);
  });
});
