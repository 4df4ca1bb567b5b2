// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { decideQuota, type MinuteCount } from '../../../src/access/decideAccountQuota.ts';

const HOUR = { windowMinutes: 60, max: 100 };
const DAY = { windowMinutes: 1440, max: 500 };
const LIMITS = [HOUR, DAY];
const NOW = 10_000;

describe('The quota of a new account', () => {
  const cases: [
    what: string,
    made: [minute: number, count: number][],
    wanted: number,
    granted: number,
    reached: unknown,
  ][] = [
    ['nothing made', [], 1, 1, null],
    ['the whole limit at once', [], 100, 100, null],
    ['more than the limit at once', [], 101, 100, { limit: HOUR, easesAtMinute: NOW + 61 }],
    ['one left', [[NOW, 99]], 1, 1, null],
    ['none left', [[NOW, 100]], 1, 0, { limit: HOUR, easesAtMinute: NOW + 61 }],
    ['the oldest minute still within the hour', [[NOW - 60, 100]], 1, 0, { limit: HOUR, easesAtMinute: NOW + 1 }],
    ['the oldest minute out of the hour', [[NOW - 61, 100]], 1, 1, null],
    [
      'several minutes',
      [
        [NOW - 50, 60],
        [NOW - 10, 40],
      ],
      5,
      0,
      { limit: HOUR, easesAtMinute: NOW + 11 },
    ],
    [
      'the day reached, not the hour',
      [
        [NOW - 1000, 400],
        [NOW - 900, 100],
      ],
      1,
      0,
      { limit: DAY, easesAtMinute: NOW + 441 },
    ],
    [
      'both reached: the later end',
      [
        [NOW - 1000, 400],
        [NOW - 5, 100],
      ],
      1,
      0,
      { limit: DAY, easesAtMinute: NOW + 441 },
    ],
    ['less room in the day than in the hour', [[NOW - 1000, 450]], 80, 50, { limit: DAY, easesAtMinute: NOW + 441 }],
    ['a clock that was set back', [[NOW + 30, 100]], 1, 0, { limit: HOUR, easesAtMinute: NOW + 91 }],
    ['a limit that was lowered', [[NOW - 5, 300]], 1, 0, { limit: HOUR, easesAtMinute: NOW + 56 }],
  ];
  for (const [what, made, wanted, granted, reached] of cases) {
    it(`with ${what}`, () => {
      const rows = made.map(([minute, count]) => ({ minute, count }));
      expect(decideQuota(LIMITS, rows, wanted, NOW)).to.deep.equal({ granted, reached });
    });
  }

  it('never holds more than a limit in any stretch of its length, and eases when it says', () => {
    const steps = fc.array(fc.record({ afterMinutes: fc.nat(200), wanted: fc.integer({ min: 1, max: 150 }) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (all) => {
        const made: MinuteCount[] = [];
        let minute = NOW;
        for (const { afterMinutes, wanted } of all) {
          minute += afterMinutes;
          const { granted, reached } = decideQuota(LIMITS, made, wanted, minute);
          if (granted > 0) made.push({ minute, count: granted });
          if (reached) {
            expect(decideQuota(LIMITS, made, 1, reached.easesAtMinute).granted).to.equal(1);
            expect(decideQuota(LIMITS, made, 1, reached.easesAtMinute - 1).granted).to.equal(0);
          }
        }
        for (const { windowMinutes, max } of LIMITS) {
          for (const { minute: from } of made) {
            const within = made.filter((row) => row.minute >= from && row.minute <= from + windowMinutes);
            expect(within.reduce((sum, { count }) => sum + count, 0)).to.be.at.most(max);
          }
        }
      }),
    );
  });
});
