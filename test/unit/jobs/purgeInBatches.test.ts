// stores: none
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { nextBatch, purgeInBatches } from '../../../jobs/purgeInBatches.ts';

describe('purging in batches', () => {
  const sizes = async (spentMs: number, rounds: number, stop = new AbortController()) => {
    const seen: number[] = [];
    await purgeInBatches(async (batch) => {
      seen.push(batch);
      await delay(spentMs);
      return seen.length < rounds;
    }, stop.signal);
    return seen;
  };

  it('begins with 500 rows, and takes fewer when these take long', async () => {
    expect(await sizes(0, 1)).to.deep.equal([500]);
    const slow = await sizes(60, 4);
    expect(slow[0]).to.equal(500);
    expect(slow[1]).to.be.below(250);
    expect(slow.at(-1)).to.be.at.least(50).and.at.most(100);
  });

  const BATCHES: [batch: number, spentMs: number, next: number][] = [
    [500, 25, 500],
    [500, 50, 250],
    [500, 5000, 50],
    [50, 0, 100],
    [50, 25, 50],
    [400, 20, 450],
  ];
  for (const [batch, spentMs, next] of BATCHES) {
    it(`${batch} rows in ${spentMs} ms are followed by ${next}`, () => {
      expect(nextBatch(batch, spentMs)).to.equal(next);
    });
  }

  it('ends soon after the signal aborts, and does not begin after that', async () => {
    const stop = new AbortController();
    let rounds = 0;
    await purgeInBatches(async () => {
      rounds += 1;
      if (rounds === 3) stop.abort();
      return true;
    }, stop.signal);
    expect(rounds).to.equal(3);
    expect(await sizes(0, 5, stop)).to.deep.equal([]);
  });
});
