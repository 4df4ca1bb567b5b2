// stores: none
import { expect } from 'chai';
import { ReadThroughCache } from '../../../src/kernel/ReadThroughCache.ts';

describe('a read-through cache', () => {
  const cache = () => new ReadThroughCache<boolean>({ max: 2, ttlMs: 60_000 });

  it('keeps what was loaded, false too, and drops what has changed', async () => {
    const known = cache();
    expect(await known.load(async () => [['a', false]])).to.deep.equal([['a', false]]);
    expect(known.get('a')).to.equal(false);
    known.invalidate('a');
    expect(known.get('a')).to.equal(undefined);
  });

  for (const change of ['invalidate', 'clear'] as const) {
    it(`returns what was read before a change and does not keep it (${change})`, async () => {
      const known = cache();
      let answer = (_: [string, boolean][]) => {};
      const loading = known.load(() => new Promise((resolve) => (answer = resolve)));
      known[change]('a');
      answer([['a', true]]);
      expect(await loading).to.deep.equal([['a', true]]);
      expect(known.get('a')).to.equal(undefined);
    });
  }

  it('keeps nothing of a load that failed, and no more than its bound', async () => {
    const known = cache();
    const failed = known.load(async () => {
      throw new Error('down');
    });
    expect(await failed.catch(({ message }) => message)).to.equal('down');
    await known.load(async () => ['a', 'b', 'c'].map((key) => [key, true]));
    expect(['a', 'b', 'c'].map((key) => known.get(key))).to.deep.equal([undefined, true, true]);
  });
});
