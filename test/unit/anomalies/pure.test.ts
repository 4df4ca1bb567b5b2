// stores: none
import { expect } from 'chai';
import { countAtScore, countScore } from '../../../src/anomalies/decide/assess.ts';
import { spreadOf } from '../../../src/anomalies/decide/expectation.ts';
import { type KeyChange, largestPart } from '../../../src/anomalies/decide/largestPart.ts';
import { makeTrack } from '../../../src/anomalies/decide/Track.ts';

describe('how far a count is from what is expected', () => {
  it('counts standard deviations, of small numbers too', () => {
    const table: [count: number, expected: number, spread: number, score: number][] = [
      [100, 100, 0.1, 0],
      [130, 100, 0.001, 2.8],
      [130, 100, 0.2, 1.2],
      [0, 100, 0.2, -13.2],
      [0, 5, 0.1, -3.3],
      [30, 5, 0.2, 5.1],
    ];
    for (const [count, expected, spread, score] of table)
      expect(countScore(count, expected, spread), `${count} of ${expected}`).to.be.closeTo(score, 0.5);
  });

  it('is undone', () => {
    for (const count of [0, 3, 50, 4000])
      expect(countAtScore(countScore(count, 60, 0.15), 60, 0.15)).to.be.closeTo(count, 0.01);
  });
});

describe('the spread of hours', () => {
  const track = (of: (hour: number) => number) =>
    makeTrack(
      0,
      Array.from({ length: 1008 }, (_, hour) => of(hour)),
      [],
    );

  it('is what chance does not explain, and no incident widens it', () => {
    const noisy = (hour: number) => 10_000 * Math.exp(0.3 * Math.sin(hour * 12.9898) * 1.4);
    const spread = spreadOf(track(noisy), 1000);
    expect(spread).to.be.within(0.2, 0.5);
    expect(
      spreadOf(
        track((hour) => (hour % 100 < 5 ? 0 : noisy(hour))),
        1000,
      ),
    ).to.be.closeTo(spread, 0.08);
    expect(
      spreadOf(
        track(() => 1000),
        1000,
      ),
    ).to.equal(0.1);
    expect(
      spreadOf(
        track(() => 1),
        1000,
      ),
    ).to.equal(0.3);
  });
});

describe('the part that moved most', () => {
  const change = (dimension: string, key: string | null, expected: number, actual: number): KeyChange => ({
    dimension,
    key,
    expected,
    actual,
  });

  it('is named when it stands out', () => {
    const table: [KeyChange[], expected: number, actual: number, found: object | null][] = [
      [
        [change('country', 'DE', 60, 5), change('country', 'AT', 40, 40)],
        ...[100, 45],
        { dimension: 'country', key: 'DE', from: 60, to: 5, share: 1 },
      ],
      // All countries fell alike.
      [[change('country', 'DE', 60, 6), change('country', 'AT', 40, 4)], 100, 10, null],
      // The link comes before its destination, which says the same.
      [
        [change('link', 'lnk_1', 10, 300), change('destination', 'https://a.example', 10, 300)],
        ...[100, 390],
        { dimension: 'link', key: 'lnk_1', from: 10, to: 300, share: 1 },
      ],
      // What was never seen before, and is known of nobody.
      [[change('browser', null, 0, 400)], 100, 500, { dimension: 'browser', key: null, from: 0, to: 400, share: 1 }],
      [[], 100, 500, null],
    ] as [KeyChange[], number, number, object | null][];
    for (const [changes, expected, actual, found] of table)
      expect(largestPart(changes, expected, actual)).to.deep.equal(found);
  });
});
