// stores: any
import { expect } from 'chai';
import { groupCommit } from '../../../src/db/groupCommit.ts';
import { query, queryRaw } from '../../../src/db/query.ts';
import type { Transaction } from '../../../src/db/sequelize.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { RequestOutcome, withOutcome } from '../../../src/kernel/requestOutcome.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

describe('a refused request', () => {
  let store: OpenStore;

  before(async () => {
    store = await openStore();
  });
  after(() => store.close());

  const insert = (key: string, transaction: Transaction) =>
    queryRaw('INSERT INTO rate_limits (key, points, expire) VALUES ($1, 1, 1) RETURNING key', [key], transaction);
  const keys = async () =>
    (await query<{ key: string }>('SELECT key FROM rate_limits ORDER BY key')).map(({ key }) => key);

  it('commits nothing from then on', async () => {
    const right = new RequestOutcome();
    const error = await withOutcome(right, () =>
      inTransaction(async (transaction) => {
        await insert('lost', transaction);
        expect(right.refuse()).to.equal(true);
      }),
    ).catch((thrown) => thrown);
    expect(error.code).to.equal('unavailable');
    let isBegun = false;
    const begin = async () => {
      isBegun = true;
    };
    expect(await withOutcome(right, () => inTransaction(begin)).catch(({ code }) => code)).to.equal('unavailable');
    expect([isBegun, await keys()]).to.deep.equal([false, []]);
  });

  it('cannot be refused any more when it commits', async () => {
    const right = new RequestOutcome();
    await withOutcome(right, () => inTransaction((transaction) => insert('kept', transaction)));
    expect(right.refuse()).to.equal(false);
    expect(await withOutcome(right, () => inTransaction(async () => 'more'))).to.equal('more');
    expect(await keys()).to.deep.equal(['kept']);
  });

  it('takes nobody with it that shares its transaction', async () => {
    const [refused, other] = [new RequestOutcome(), new RequestOutcome()];
    const write = groupCommit(async (items: string[], transaction) => {
      for (const item of items) await insert(item, transaction);
      if (items.length > 1) refused.refuse();
      return items;
    });
    // The first is written alone, and the others while they wait for it.
    const asked = [
      write('first'),
      withOutcome(refused, () => write('refused')),
      withOutcome(other, () => write('other')),
      write('of no request'),
    ];
    const results = await Promise.allSettled(asked);
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await keys()).to.deep.equal(['first', 'kept', 'of no request', 'other']);
    expect([refused.isRefused, other.refuse()]).to.deep.equal([true, false]);
  });
});
