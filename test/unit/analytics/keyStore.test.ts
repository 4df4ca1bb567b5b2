// stores: each
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type Key, keysOf, knownNumbers, numbersFor } from '../../../src/analytics/columns/keyStore.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';

describe('numbers of keys', () => {
  let store: OpenStore;
  before(async () => {
    store = await openStore();
  });
  after(() => store.close());

  const keys = (dimension: string, count: number): Key[] =>
    Array.from({ length: count }, (_, at) => [dimension, `${dimension} ${at}`]);

  it('are given once, from 1 in each dimension, and found by key and by number', async () => {
    const numbers = await numbersFor('one', [...keys('link', 3), ...keys('city', 2)]);
    expect([...(numbers.get('link')?.values() ?? [])].sort()).to.deep.equal([1, 2, 3]);
    expect(await numbersFor('one', keys('link', 4))).to.deep.equal(
      new Map([['link', new Map([...(numbers.get('link') ?? []), ['link 3', 4]])]]),
    );
    expect((await numbersFor('two', keys('link', 1))).get('link')).to.deep.equal(new Map([['link 0', 1]]));
    expect(
      await knownNumbers('one', [
        ['city', 'link 0'],
        ['none', 'city 0'],
        ['city', 'city 00'],
      ]),
    ).to.deep.equal(new Map());
    expect(await keysOf('one', 'city', [1, 2, 3])).to.deep.equal(
      new Map<number, string | null>([
        [1, 'city 0'],
        [2, 'city 1'],
        [3, null],
      ]),
    );
  });

  it('are looked up one by one, also with statistics from when there were few', async function () {
    if (STORE === 'sqlite') this.skip();
    for (const dimension of ['slug', 'link', 'city']) await numbersFor('busy', keys(dimension, 20));
    for (const dimension of ['browser', 'rule']) await numbersFor('busy', keys(dimension, 2));
    await queryRaw('ANALYZE click_keys', []);
    const read = async () => {
      // A session tells its counts with a query, a second after the last time at the earliest.
      await delay(1100);
      await queryRaw('SELECT 1', []);
      const [row] = await queryRaw<{ read: string }>(
        "SELECT SUM(idx_tup_read) AS read FROM pg_stat_user_indexes WHERE relname = 'click_keys'",
        [],
      );
      return Number(row?.read);
    };
    const before = await read();
    await numbersFor('busy', keys('slug', 3000));
    expect((await knownNumbers('busy', keys('slug', 3000))).get('slug')).to.have.property('size', 3000);
    expect((await keysOf('busy', 'slug', [1, 1500, 3000])).size).to.equal(3);
    expect((await read()) - before).to.be.within(3000, 40_000);
  });
});
