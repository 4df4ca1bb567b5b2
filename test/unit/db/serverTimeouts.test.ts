// stores: each
import { expect } from 'chai';
import { database, dialect } from '../../../src/db/connection/database.ts';
import { connectionOf, liftQueryTimeout, withConnection } from '../../../src/db/connection/internals.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { warnOfTimeouts } from '../../../src/db/serverTimeouts.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { log } from '../../../src/kernel/log.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

describe('timeouts of the server that are shorter than the product needs', () => {
  let store: OpenStore;

  before(async () => {
    store = await openStore();
    if (dialect() === 'sqlite') return;
    const [{ name } = { name: '' }] = await queryRaw<{ name: string }>('SELECT current_database() AS name', []);
    const set = (setting: string) => queryRaw(`ALTER DATABASE ${name} SET ${setting}`, []);
    await set("statement_timeout = '100ms'");
    await set("lock_timeout = '2s'");
    await set("idle_session_timeout = '10min'");
    await store.goAway();
    await store.comeBack();
  });
  after(() => store.close());

  const warned = async () => {
    const lines: unknown[] = [];
    const { warn } = log;
    log.warn = ((fields: { setting: string; seconds: number }) =>
      lines.push([fields.setting, fields.seconds])) as never;
    await warnOfTimeouts().finally(() => {
      log.warn = warn;
    });
    return lines;
  };

  it('are warned of, each by its name', async () => {
    const expected =
      dialect() === 'sqlite'
        ? []
        : [
            ['lock_timeout', 2],
            ['statement_timeout', 0.1],
          ];
    expect(await warned()).to.deep.equal(expected);
  });

  it('do not end migrations and other long work, and hold again after it', async function () {
    if (dialect() === 'sqlite') this.skip();
    await migrate();
    await inTransaction(async (transaction) => {
      await liftQueryTimeout(transaction);
      await queryRaw('SELECT pg_sleep(0.2)', [], transaction);
      expect(connectionOf(transaction)).to.be.an('object');
    });
    await withConnection(database(), null, 'x', async (connection) => {
      const timeout = await liftQueryTimeout({ connection });
      await (connection as { query(sql: string): Promise<unknown> }).query('SELECT pg_sleep(0.2)');
      await timeout.restore();
    });
    for (let at = 0; at < 3; at += 1) {
      const error = await queryRaw('SELECT pg_sleep(0.2)', []).catch((thrown: unknown) => thrown);
      expect((error as { original: { code: string } }).original?.code).to.equal('57014');
    }
  });
});
