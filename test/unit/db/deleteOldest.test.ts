// stores: each
import { expect } from 'chai';
import { deleteOldest } from '../../../src/db/deleteOldest.ts';
import { openStoreIn, queryRaw } from '../../../src/db/query.ts';
import type { Transaction } from '../../../src/db/sequelize.ts';
import { primaryKeyOf, tablesOf } from '../../../src/db/tables.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';

const run = (sql: string, transaction?: Transaction) => queryRaw<{ name: string }>(sql, [], transaction);

describe('The oldest rows', () => {
  let close: () => Promise<void>;

  before(async () => {
    ({ close } = await openStore());
    await inTransaction((transaction) =>
      run('CREATE TABLE pairs (a TEXT, b INTEGER, name TEXT, age INTEGER, PRIMARY KEY (a, b))', transaction),
    );
  });
  beforeEach(() =>
    inTransaction(async (transaction) => {
      await run('DELETE FROM pairs', transaction);
      const rows = ['o1', 'o2', 'o3', 'young'].map(
        (name, at) => `('${at % 2}', ${at >> 1}, '${name}', ${90 - 10 * at})`,
      );
      await run(`INSERT INTO pairs (a, b, name, age) VALUES ${rows.join(', ')}`, transaction);
    }),
  );
  after(() => close());

  const old = { table: 'pairs', where: 'age > $1', values: [65], oldestBy: 'age DESC' };
  const left = async () => (await run('SELECT name FROM pairs ORDER BY name')).map(({ name }) => name);

  it('are deleted by their primary key, a batch at a time', async () => {
    expect(await deleteOldest({ ...old, batch: 2 })).to.equal(2);
    expect(await left()).to.deep.equal(['o3', 'young']);
    expect(await deleteOldest({ ...old, batch: 2 })).to.equal(1);
    expect(await deleteOldest({ ...old, batch: 2 })).to.equal(0);
    expect(await left()).to.deep.equal(['young']);
  });

  it('are skipped while another transaction writes them', async function () {
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED) this.skip();
    await inTransaction(async (transaction) => {
      await run("UPDATE pairs SET name = 'o1 again' WHERE name = 'o1'", transaction);
      expect(await deleteOldest({ ...old, batch: 5 })).to.equal(2);
    });
    expect(await left()).to.deep.equal(['o1 again', 'young']);
  });

  it('have a primary key in every table', async () => {
    const store = openStoreIn();
    // Sums of clicks are added up and deleted as a whole.
    const tables = (await tablesOf(store)).filter((table) => table !== 'link_click_sums');
    for (const table of tables) expect(await primaryKeyOf(table, store), table).not.to.have.length(0);
  });
});
