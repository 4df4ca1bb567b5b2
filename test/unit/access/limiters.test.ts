// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { leasingLimiter } from '../../../src/access/limiters.ts';

/** A counter that processes share. */
function sharedCounter() {
  let consumed = 0;
  const asked: number[] = [];
  return {
    asked,
    async take(_: string, points: number) {
      asked.push(points);
      await null;
      consumed += points;
      return { consumed, msToReset: 60_000 };
    },
  };
}

describe('a limiter that leases', () => {
  it('asks once for many points that are consumed one by one', async () => {
    const counter = sharedCounter();
    const limiter = leasingLimiter(1000, counter.take);
    for (let at = 1; at <= 25; at += 1) expect((await limiter.consume('a', 1)).consumed).to.equal(at);
    expect(counter.asked).to.deep.equal([10, 10, 10]);
  });

  it('lets a call through whole or not at all; what was refused uses up nothing', async () => {
    const limiter = leasingLimiter(100, sharedCounter().take);
    expect(await limiter.consume('a', 70)).to.include({ consumed: 70, isRefused: false });
    expect(await limiter.consume('a', 31)).to.include({ consumed: 70, isRefused: true });
    expect(await limiter.consume('a', 30)).to.include({ consumed: 100, isRefused: false });
    expect(await limiter.consume('a', 1)).to.include({ consumed: 100, isRefused: true });
    expect(await limiter.consume('b', 101)).to.include({ isRefused: true });
  });

  it('never lets through more than the limit, whatever several processes take at once', async () => {
    const calls = fc.array(fc.record({ process: fc.nat(2), points: fc.integer({ min: 1, max: 40 }) }), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), calls, async (limit, asked) => {
        const counter = sharedCounter();
        const processes = [0, 1, 2].map(() => leasingLimiter(limit, counter.take));
        const taken = await Promise.all(
          asked.map(async ({ process, points }) => {
            const { isRefused } = await (processes[process] as (typeof processes)[0]).consume('a', points);
            return isRefused ? 0 : points;
          }),
        );
        expect(taken.reduce((sum, points) => sum + points, 0)).to.be.at.most(limit);
      }),
    );
  });
});
