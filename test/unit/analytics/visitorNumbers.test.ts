// stores: none
import { expect } from 'chai';
import { VisitorNumbers } from '../../../src/analytics/columns/visitorSets.ts';
import { randomFrom } from './naive.ts';

describe('Visitors of a day', () => {
  for (const expected of [0, 10, 5000]) {
    it(`are numbered in the order of arrival, when ${expected} were expected`, () => {
      const random = randomFrom(expected);
      const visitors = new VisitorNumbers(expected);
      const known = new Map<string, number>();
      for (let turn = 0; turn < 10_000; turn += 1) {
        // Many have the same low half, and half of them were here before.
        const low = Math.floor(random() * 50) * 0x0500_0000;
        const high = Math.floor(random() * 80);
        const name = `${high} ${low}`;
        const number = known.get(name) ?? known.size;
        known.set(name, number);
        expect(visitors.numberOf(high, low)).to.equal(number);
        expect(visitors.size).to.equal(known.size);
      }
    });
  }
});
