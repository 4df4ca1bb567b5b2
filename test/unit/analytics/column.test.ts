// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { decodeAt, decodeColumn, encodeColumn } from '../../../src/analytics/columns/Column.ts';

const numbers = fc.array(fc.oneof(fc.nat(3), fc.nat(255), fc.nat(65_535), fc.nat(0xffff_ffff)), { maxLength: 200 });

describe('a column of a block', () => {
  it('gives back its numbers, wherever in the bytes of a driver it begins', () => {
    fc.assert(
      fc.property(numbers, fc.nat(7), (values, shift) => {
        const stored = Buffer.concat([Buffer.alloc(shift), encodeColumn(values)]).subarray(shift);
        expect([...decodeColumn(stored, values.length)]).to.deep.equal(values);
      }),
    );
  });

  it('follows others in the same bytes', () => {
    fc.assert(
      fc.property(numbers, numbers, (first, second) => {
        const stored = Buffer.concat([encodeColumn(first), encodeColumn(second)]);
        const { column, end } = decodeAt(stored, 0);
        expect([...column]).to.deep.equal(first);
        expect([...decodeAt(stored, end).column]).to.deep.equal(second);
      }),
    );
  });

  it('takes one number for a thousand that are alike, and a byte each for small ones', () => {
    expect(encodeColumn(new Array(1000).fill(70_000))).to.have.length(12);
    expect(encodeColumn(Array.from({ length: 1000 }, (_, at) => at % 200))).to.have.length(1008);
  });

  it('is zeros where nothing is stored', () => {
    expect([...decodeColumn(undefined, 3)]).to.deep.equal([0, 0, 0]);
  });
});
