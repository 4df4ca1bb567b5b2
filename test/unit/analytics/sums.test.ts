// stores: none
import { expect } from 'chai';
import { Sums, unitsOf } from '../../../src/analytics/Sums.ts';

const CASES: [why: string, values: number[], sum: number][] = [
  ['decimals', [0.1, 0.2], 0.3],
  ['many of them', Array.from({ length: 1000 }, () => 1.1), 1100],
  ['what is taken back', [39.9, -39.9], 0],
  ['losses', [-0.5, -0.25], -0.75],
  ['large and small', [999_999_999_999.9, -999_999_999_999.8], 0.1],
  ['more than a number holds', Array.from({ length: 10_001 }, () => 1e12), 10_001e12],
  ['what is smaller than a micro-unit', [1e-7, 2e-7], 3e-7],
  ['what the 13th digit rounds off', [0.7999999999999999], 0.8],
  ['and below zero', [-0.7999999999999999], -0.8],
  ['what is too small to count', [1e-300], 0],
  ['what is too large for any currency', [1e30], 1e30],
];

describe('Sums of money', () => {
  for (const [why, values, sum] of CASES) {
    it(`are exact: ${why}`, () => {
      const sums = new Sums();
      for (const value of values) sums.add({ currency: 'EUR', units: unitsOf(value) });
      expect(sums.listed()).to.deep.equal([{ currency: 'EUR', sum }]);
    });
  }

  it('come in the order of their currencies, what has none last', () => {
    const sums = new Sums();
    for (const currency of [null, 'USD', 'EUR', 'USD']) sums.add({ currency, units: unitsOf(1) });
    expect(sums.listed()).to.deep.equal([
      { currency: 'EUR', sum: 1 },
      { currency: 'USD', sum: 2 },
      { currency: null, sum: 1 },
    ]);
  });
});
