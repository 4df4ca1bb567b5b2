// stores: each
import { expect } from 'chai';
import { NEW, OTHER_CELL, VisitorSet } from '../../../src/analytics/columns/visitorSets.ts';
import { randomFrom } from './naive.ts';

const LAST_CELL = 0xffff_fffe;

describe('Visitors of a day', () => {
  for (const expected of [0, 10, 5000]) {
    it(`are told from each other, and their first cells, when ${expected} were expected`, () => {
      const random = randomFrom(expected);
      const visitors = new VisitorSet(expected);
      const known = new Map<string, number>();
      for (let turn = 0; turn < 10_000; turn += 1) {
        // Many have the same low half, and half of them were here before.
        const low = Math.floor(random() * 50) * 0x0500_0000;
        const high = Math.floor(random() * 80);
        const cell = random() < 0.5 ? 0 : LAST_CELL;
        const first = known.get(`${high} ${low}`);
        const met = visitors.meet(high, low, cell);
        expect(met === NEW, 'is new').to.equal(first === undefined);
        expect(met === OTHER_CELL, 'has another cell').to.equal(first !== undefined && first !== cell);
        known.set(`${high} ${low}`, first ?? cell);
      }
    });
  }
});
