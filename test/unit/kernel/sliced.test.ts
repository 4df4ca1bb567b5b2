import { expect } from 'chai';
import { mapSliced, partsOf } from '../../../src/kernel/sliced.ts';

describe('long computations', () => {
  it('let others be answered in between', async () => {
    let answered = 0;
    const other = setInterval(() => {
      answered += 1;
    }, 0);
    const beforeLast: number[] = [];
    const results = await mapSliced([1, 2, 3, 4, 5, 6, 7, 8], (item) => {
      busyFor(3);
      beforeLast.push(answered);
      return item * 2;
    });
    clearInterval(other);
    expect(results).to.deep.equal([2, 4, 6, 8, 10, 12, 14, 16]);
    expect(beforeLast.at(-1)).to.be.above(2);
  });

  it('may be split into parts that leave nothing out', () => {
    expect(partsOf([1, 2, 3, 4, 5], 2)).to.deep.equal([[1, 2], [3, 4], [5]]);
    expect(partsOf([], 2)).to.deep.equal([]);
  });
});

function busyFor(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}
