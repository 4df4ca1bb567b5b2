// stores: each
import { expect } from 'chai';
import { startBoss } from '../../../jobs/boss.ts';
import { JOBS } from '../../../jobs/table.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { makeStore, STORE } from '../../support/stores.ts';

describe('JOBS_BACKEND', () => {
  after(() => {
    loadConfig({ LOG_LEVEL: 'silent' });
  });

  // What PostgreSQL understands too: it cannot show that the other stores understand it.
  for (const [backend, isPartitioned] of [
    ['yugabytedb', false],
    ['citus', true],
  ] as const) {
    it(`has jobs run the way of ${backend}`, async function () {
      if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED) this.skip();
      const store = await makeStore({ isBare: true });
      const config = loadConfig({ LOG_LEVEL: 'silent', ...store.env, JOBS_BACKEND: backend });
      const { boss, stop } = await startBoss(config, JOBS);
      try {
        await boss.insert('sendMails', [{ data: { of: backend } }]);
        const [job] = await boss.fetch<{ of: string }>('sendMails');
        expect(job?.data.of).to.equal(backend);
        await boss.complete('sendMails', job?.id ?? '');
        const sql = "SELECT relkind = 'p' AS is_partitioned FROM pg_class WHERE oid = CAST('pgboss.job' AS regclass)";
        expect((await boss.getDb().executeSql(sql)).rows).to.deep.equal([{ is_partitioned: isPartitioned }]);
      } finally {
        await stop();
        await store.remove();
      }
    });
  }

  it('must be one of those that pg-boss knows', () => {
    expect(() => loadConfig({ JOBS_BACKEND: 'mysql' })).to.throw('JOBS_BACKEND');
  });
});
