// stores: none
import { expect } from 'chai';
import { limitConcurrency } from '../../../src/kernel/concurrency.ts';

describe('atMost', () => {
  it('runs so many at a time, in turn, and refuses those for whom there is no room to wait', async () => {
    const run = limitConcurrency(2, 3);
    const order: string[] = [];
    let running = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    const work = (name: string) => async () => {
      order.push(name);
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((end) => ends.push(end));
      running -= 1;
      return name;
    };
    const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => run(work(name)));
    expect(asked[5]).to.equal(null);
    expect(order).to.deep.equal(['a', 'b']);
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
    expect(await Promise.all(asked)).to.deep.equal(['a', 'b', 'c', 'd', 'e', null]);
    expect([most, running]).to.deep.equal([2, 0]);
  });

  it('goes on after work that fails', async () => {
    const run = limitConcurrency(1);
    const failed = run(async () => {
      throw new Error('no');
    }) as Promise<never>;
    const next = run(async () => 'yes');
    expect(await failed.catch(({ message }) => message)).to.equal('no');
    expect(await next).to.equal('yes');
  });
});
