// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import {
  compareLanguages,
  compareModels,
  compareScreens,
  compareVersions,
  compareZones,
  type Likeness,
} from '../../../src/attribution/decide/compareDevices.ts';
import type { Screen } from '../../../src/clicks/matchClickStore.ts';

type Text = string | null;
type Row = [Text, Text, Likeness];

/** Each row both ways round. */
function expectLikeness(compare: (one: Text, other: Text) => Likeness, rows: Row[]): void {
  for (const [one, other, likeness] of rows) {
    expect(compare(one, other), `${one} and ${other}`).to.equal(likeness);
    expect(compare(other, one), `${other} and ${one}`).to.equal(likeness);
  }
}

describe('comparing what a click and an app tell of a device', () => {
  it('versions by their first two numbers', () =>
    expectLikeness(compareVersions, [
      ['18.6', '18.6', 'same'],
      ['18.6.1', '18.6', 'same'],
      ['18.6.1', '18.6.2', 'same'],
      ['iOS 18.6', '18.6', 'same'],
      ['18_6', '18.6', 'same'],
      ['15', '15', 'same'],
      ['Android 15', '15', 'same'],
      ['15', '15.0', 'related'],
      ['18', '18.6.1', 'related'],
      ['26.0', '26.1', 'different'],
      ['18.6', '26.0', 'different'],
      ['8.1', '18.1', 'different'],
      ['1.8', '18', 'different'],
      ['18.10', '18.1', 'different'],
      [null, '18.6', 'unknown'],
      ['', '18.6', 'unknown'],
      ['Tiramisu', '13', 'unknown'],
      [null, null, 'unknown'],
    ]));

  it('models: of Apple by the family, of others by the name with or without the maker', () =>
    expectLikeness(compareModels, [
      ['iPhone17,2', 'iPhone17,2', 'same'],
      ['iPhone17,2', 'iPhone17,3', 'different'],
      ['iPhone', 'iPhone17,3', 'related'],
      ['iPhone', 'iPhone', 'related'],
      ['iPad', 'iPad14,1', 'related'],
      ['iPod touch', 'iPod9,1', 'related'],
      ['iPhone', 'iPad14,1', 'different'],
      ['iPhone', 'Pixel 9', 'different'],
      ['Pixel 9', 'Pixel 9', 'same'],
      ['Pixel 9', 'Google Pixel 9', 'same'],
      ['pixel-9', 'Pixel 9', 'same'],
      ['SM-S911B', 'samsung SM-S911B', 'same'],
      ['SM-S911B', 'SM-S911U', 'different'],
      ['Pixel 9', 'Pixel 9 Pro', 'different'],
      ['Pixel 9', 'Pixel 19', 'different'],
      ['9', 'Pixel9', 'different'],
      ['红米 K80', '红米 K70', 'different'],
      ['小米', '荣耀', 'different'],
      ['-', 'Pixel 9', 'unknown'],
      [null, 'Pixel 9', 'unknown'],
      ['', 'Pixel 9', 'unknown'],
    ]));

  it('languages by language and region, whatever their spelling', () =>
    expectLikeness(compareLanguages, [
      ['de-de', 'de-DE', 'same'],
      ['de-de', 'de_DE', 'same'],
      ['de-de', 'de-Latn-DE', 'same'],
      ['de-de', 'de_DE.UTF-8', 'same'],
      ['de', 'de', 'same'],
      ['zh-cn', 'zh-Hans-CN', 'same'],
      ['zh-hant-tw', 'zh_TW', 'same'],
      ['es-419', 'es_419', 'same'],
      ['en-us', 'en_US@calendar=buddhist', 'same'],
      ['en', 'en-u-ca-gregory', 'same'],
      ['he-il', 'iw_IL', 'same'],
      ['id-id', 'in_ID', 'same'],
      ['de', 'de-DE', 'related'],
      ['de-at', 'de-DE', 'related'],
      ['zh-cn', 'zh-TW', 'related'],
      ['zh-hans', 'zh-Hant', 'related'],
      ['sr-cyrl-rs', 'sr-Latn-RS', 'related'],
      ['de', 'en', 'different'],
      ['de-ch', 'fr-CH', 'different'],
      [null, 'de', 'unknown'],
      ['', 'de', 'unknown'],
      ['*', 'de', 'unknown'],
      ['x', 'de', 'unknown'],
      ['und', 'de', 'unknown'],
    ]));

  it('zones by the name that the page told, else by those of the country', () => {
    const berlin = 'Europe/Berlin';
    const rows: [Text, Text, Text, Likeness][] = [
      [berlin, 'US', berlin, 'same'],
      ['Asia/Calcutta', null, 'Asia/Kolkata', 'same'],
      ['asia/kolkata', null, 'Asia/Calcutta', 'same'],
      ['Europe/Kiev', null, 'Europe/Kyiv', 'same'],
      ['US/Eastern', null, 'America/New_York', 'same'],
      [berlin, 'DE', 'Europe/Paris', 'different'],
      [null, 'DE', berlin, 'same'],
      [null, 'IN', 'Asia/Kolkata', 'same'],
      [null, 'US', 'America/Los_Angeles', 'same'],
      [null, 'DE', 'America/New_York', 'unlikely'],
      ['Mars/Olympus', 'DE', berlin, 'same'],
      [null, null, berlin, 'unknown'],
      [null, 'XX', berlin, 'unknown'],
      [null, 'de', berlin, 'unknown'],
      [berlin, 'DE', null, 'unknown'],
      [berlin, 'DE', '', 'unknown'],
      [berlin, 'DE', 'Mars/Olympus', 'unknown'],
      [berlin, 'DE', '+01:00', 'unknown'],
      ['+01:00', 'DE', berlin, 'same'],
    ];
    for (const [timezone, country, ofApp, likeness] of rows)
      expect(compareZones({ timezone, country }, ofApp), `${timezone} ${country} ${ofApp}`).to.equal(likeness);
  });

  it('screens by their sides, however they are held', () => {
    const screen = (width: number | null, height: number | null): Screen => ({ width, height, scale: 3 });
    const rows: [Screen | null, Screen | null, Likeness][] = [
      [screen(393, 852), screen(393, 852), 'same'],
      [screen(393, 852), screen(852, 393), 'same'],
      [screen(393, 852), screen(394.5, 850), 'same'],
      [screen(393, 852), { width: 393, height: 852, scale: null }, 'same'],
      [screen(393, 852), screen(390, 844), 'different'],
      [screen(393, 852), screen(393, 855), 'different'],
      [screen(393, 852), screen(396, 852), 'different'],
      [screen(393, 852), null, 'unknown'],
      [screen(393, 852), screen(null, 852), 'unknown'],
      [screen(393, 852), screen(393, 0), 'unknown'],
    ];
    for (const [one, other, likeness] of rows) {
      expect(compareScreens(one, other), JSON.stringify([one, other])).to.equal(likeness);
      expect(compareScreens(other, one), JSON.stringify([other, one])).to.equal(likeness);
    }
  });

  it('whatever is told, nothing throws, and equal things are never different', () => {
    const text = fc.string({ unit: 'binary', maxLength: 70 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        for (const compare of [compareVersions, compareModels, compareLanguages]) {
          expect(compare(one, one)).to.be.oneOf(['same', 'unknown']);
          expect(compare(one, other)).to.equal(compare(other, one));
        }
        expect(compareZones({ timezone: one, country: other }, one)).to.be.oneOf(['same', 'unknown']);
      }),
    );
  });
});
