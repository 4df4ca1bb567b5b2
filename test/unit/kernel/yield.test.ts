// stores: none
import { expect } from 'chai';
import { chunksBySize, chunksOf } from '../../../src/kernel/chunks.ts';
import { mapYielding } from '../../../src/kernel/yield.ts';

describe('long computations', () => {
  it('let others be answered in between', async () => {
    let answered = 0;
    const other = setInterval(() => {
      answered += 1;
    }, 0);
    const beforeLast: number[] = [];
    const results = await mapYielding([1, 2, 3, 4, 5, 6, 7, 8], (item) => {
      busyFor(3);
      beforeLast.push(answered);
      return item * 2;
    });
    clearInterval(other);
    expect(results).to.deep.equal([2, 4, 6, 8, 10, 12, 14, 16]);
    expect(beforeLast.at(-1)).to.be.above(2);
  });

  it('may be split into parts that leave nothing out', () => {
    expect(chunksOf([1, 2, 3, 4, 5], 2)).to.deep.equal([[1, 2], [3, 4], [5]]);
    expect(chunksOf([], 2)).to.deep.equal([]);
  });

  it('take a list in parts whose sizes have a bound, but for what is larger alone', () => {
    const parts = (sizes: number[]) => chunksBySize(sizes, (size) => size, 10);
    expect(parts([4, 6, 1, 9, 1, 25, 3, 3])).to.deep.equal([[4, 6], [1, 9], [1], [25], [3, 3]]);
    expect(parts([])).to.deep.equal([]);
    expect(parts(Array.from({ length: 450 }, () => 0)).map((part) => part.length)).to.deep.equal([200, 200, 50]);
  });
});

function busyFor(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}
