// stores: each
import { expect } from 'chai';
import { migrate } from '../../../src/db/migrate.ts';
import { makePartitioned } from '../../../src/db/partitions/makePartitioned.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock, DAY_MS } from '../../../src/kernel/clock.ts';
import { idAt, insert, names, placesOf, run, TODAY, usePartitions } from '../../support/partitions.ts';
import { undivide } from '../../support/undivide.ts';

describe('partitions of a table from before', () => {
  usePartitions();

  const [recent, odd] = [idAt('clk', 1), idAt('clk', -20_000)];
  const indexesOf = (table: string) =>
    run<{ definition: string }>(
      `SELECT regexp_replace(indexdef, '^.* USING ', '') AS definition FROM pg_indexes WHERE tablename = $1 ORDER BY 1`,
      table,
    );
  beforeEach(async () => {
    await undivide('clicks');
    for (const id of [recent, odd]) await insert('clicks', { id });
  });
  const expectWhole = async () => {
    expect(await names('clicks')).to.deep.equal(['clicks_first', 'clicks_default']);
    expect(await placesOf('clicks')).to.deep.equal({ [recent]: 'clicks_first', [odd]: 'clicks_default' });
    const indexes = await indexesOf('clicks_first');
    expect(indexes).to.have.length(3);
    for (const table of ['clicks', 'clicks_default']) expect(await indexesOf(table)).to.deep.equal(indexes);
    await run(`INSERT INTO clicks SELECT * FROM clicks ON CONFLICT (id) DO NOTHING`);
    expect(await run('SELECT 1 FROM clicks')).to.have.length(2);
    expect(await run(`SELECT 1 FROM pg_constraint WHERE conname = 'clicks_before_bound'`)).to.have.length(0);
  };

  it('are made without moving rows but those of a clock that was far ahead', async () => {
    const before = await run('SELECT relfilenode FROM pg_class WHERE relname = $1', 'clicks');
    expect((await migrate()).partitioned).to.deep.equal(['clicks']);
    await expectWhole();
    expect(await run('SELECT relfilenode FROM pg_class WHERE relname = $1', 'clicks_first')).to.deep.equal(before);
    expect(await migrate()).to.deep.equal({ migrations: [], indexes: [], partitioned: [] });
  });

  it('wait for a clock that is right: all rows would be on one side of the bound', async () => {
    for (const days of [-5000, 5000]) {
      clock.use({ now: () => TODAY + days * DAY_MS });
      expect(await makePartitioned(() => {})).to.deep.equal([]);
    }
    clock.reset();
    expect(await makePartitioned(() => {})).to.deep.equal(['clicks']);
    await expectWhole();
  });

  it('are made once by two processes', async () => {
    const made = await Promise.all([makePartitioned(() => {}), makePartitioned(() => {})]);
    expect(made.flat()).to.deep.equal(['clicks']);
    await expectWhole();
  });

  it('are made after a crash between the two locks', async () => {
    await run('CREATE TABLE clicks_default (LIKE clicks INCLUDING ALL)');
    await run('INSERT INTO clicks_default SELECT * FROM clicks WHERE id = $1', odd);
    await run('DELETE FROM clicks WHERE id = $1', odd);
    await run(`ALTER TABLE clicks ADD CONSTRAINT clicks_before_bound CHECK (id < 'clk_x') NOT VALID`);
    await makePartitioned(() => {});
    await expectWhole();
  });

  it('wait for a long question, and let others ask meanwhile', async () => {
    let isMade = false;
    let making: Promise<unknown> = Promise.resolve();
    await inTransaction(async (transaction) => {
      await queryRaw('SELECT id FROM clicks', [], transaction);
      making = makePartitioned(() => {}).then(() => {
        isMade = true;
      });
      const end = Date.now() + 1500;
      while (Date.now() < end) expect(await run('SELECT id FROM clicks')).to.have.length(2);
      expect(isMade).to.equal(false);
    });
    await making;
    await expectWhole();
  });

  it('leave the rights of others', async () => {
    await run('DROP ROLE IF EXISTS svc_test_reader');
    await run('CREATE ROLE svc_test_reader');
    try {
      await run('GRANT SELECT ON clicks TO svc_test_reader');
      await run('GRANT INSERT ON clicks TO PUBLIC');
      await makePartitioned(() => {});
      const may = (right: string) => run(`SELECT has_table_privilege('svc_test_reader', 'clicks', $1) AS may`, right);
      expect([...(await may('SELECT')), ...(await may('INSERT')), ...(await may('DELETE'))]).to.deep.equal([
        { may: true },
        { may: true },
        { may: false },
      ]);
    } finally {
      await run('DROP OWNED BY svc_test_reader');
      await run('DROP ROLE svc_test_reader');
    }
  });
});
