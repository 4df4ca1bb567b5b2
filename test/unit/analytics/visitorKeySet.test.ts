// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { VisitorKeySet } from '../../../src/analytics/columns/visitorSets.ts';

const few = fc.oneof(fc.nat(5), fc.constantFrom(0xffff_ffff, 0x8000_0000));

describe('Pairs', () => {
  it('agrees with a set of texts, also when it grows', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(few, few, fc.nat(40)), { maxLength: 500 }), (entries) => {
        const pairs = new VisitorKeySet(0);
        const known = new Set<string>();
        for (const [high, low, number] of entries) {
          const name = `${high} ${low} ${number}`;
          expect(pairs.add(high, low, number)).to.equal(!known.has(name));
          known.add(name);
        }
      }),
    );
  });
});
