// stores: each
import { expect } from 'chai';
import { type Boss, startBoss, startVacuum } from '../../../jobs/boss.ts';
import { KEPT_SECONDS } from '../../../jobs/queues.ts';
import { JOBS } from '../../../jobs/table.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { makeStore, type Store } from '../../support/stores.ts';

describe('jobs that are done', () => {
  let store: Store;
  let boss: Boss;

  before(async () => {
    store = await makeStore();
    boss = await startBoss(loadConfig({ LOG_LEVEL: 'silent', ...store.env }), JOBS);
  });
  after(async () => {
    await boss.stop();
    await store.remove();
    loadConfig({ LOG_LEVEL: 'silent' });
  });

  const run = async <Row>(sql: string) => (await boss.boss.getDb().executeSql(sql)).rows as Row[];
  const work = async (count: number) => {
    const jobs = Array.from({ length: count }, (_, at) => ({
      data: { webhookId: `whk_${at}` },
      singletonKey: `${at}`,
    }));
    await boss.boss.insert('sendWebhooks', jobs);
    const fetched = await boss.boss.fetch('sendWebhooks', { batchSize: count });
    await boss.boss.complete(
      'sendWebhooks',
      fetched.map(({ id }) => id),
    );
    expect(fetched).to.have.lengthOf(count);
  };
  const states = async () => (await run<{ state: string }>('SELECT state FROM pgboss.job')).map(({ state }) => state);

  it('are deleted a minute later, by the next round of maintenance, which comes each minute', async () => {
    await work(3);
    await boss.boss.insert('sendWebhooks', [{ data: { webhookId: 'waiting' }, singletonKey: 'waiting' }]);
    const ago = (seconds: number) => `now() - interval '${seconds} seconds'`;
    await run(`UPDATE pgboss.job SET completed_on = ${ago(KEPT_SECONDS + 1)}
      WHERE state = 'completed'`);
    await run(`UPDATE pgboss.queue SET maintain_on = ${ago(61)}`);
    await boss.boss.supervise('sendWebhooks');
    expect(await states()).to.deep.equal(['created']);
  });

  it('leave no space behind that is not used again', async () => {
    const size = async () => {
      const [row] = await run<{ bytes: string | number }>("SELECT pg_relation_size('pgboss.job_common') AS bytes");
      return Number(row?.bytes);
    };
    await work(1000);
    const once = await size();
    expect(once).to.be.above(300_000);
    for (let round = 0; round < 3; round += 1) {
      await run("DELETE FROM pgboss.job WHERE state = 'completed'");
      await startVacuum(boss.boss.getDb()).stop();
      await work(1000);
    }
    expect(await size()).to.be.below(once * 1.5);
  });
});
