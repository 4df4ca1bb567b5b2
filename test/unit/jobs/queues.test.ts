// stores: each
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { startBoss } from '../../../jobs/boss.ts';
import type { Job, Sweep } from '../../../jobs/Job.ts';
import { startJobs } from '../../../jobs/startJobs.ts';
import { sweepStore } from '../../../jobs/sweepStore.ts';
import { closeDatabase, openDatabase } from '../../../src/db/connection/database.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { type Config, loadConfig } from '../../../src/kernel/config.ts';
import { registry } from '../../../src/kernel/metrics.ts';
import { signals } from '../../../src/kernel/signals.ts';
import { connectModels } from '../../../src/models/index.ts';
import { LATE_MS } from '../../support/lateness.ts';
import { makeStore, STORE, type Store } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

const SWEEP: Job = {
  queue: 'sweep',
  about: 'makes the others',
  run: sweepStore,
  perProcess: 1,
  inAll: 1,
  retryLimit: 0,
  retryDelay: 1,
  expireIn: 60,
};

/** What a product does in the background, with jobs that a test makes up. */
describe('jobs', () => {
  let store: Store;
  let config: Config;
  const jobs: { stop(): Promise<void> }[] = [];
  let ran: number[];
  let isDue: boolean;
  let work: (signal: AbortSignal) => Promise<void>;

  before(async () => {
    store = await makeStore();
    config = loadConfig({ LOG_LEVEL: 'silent', ...store.env });
    await openDatabase(config);
    connectModels();
    await migrate();
  });
  after(async () => {
    await closeDatabase();
    await store.remove();
    loadConfig({ LOG_LEVEL: 'silent' });
  });
  beforeEach(() => {
    ran = [];
    isDue = true;
    work = async () => {
      isDue = false;
    };
  });
  afterEach(async () => {
    for (const started of jobs.splice(0)) await started.stop();
  });

  const jobOf = (queue: string): Job => ({
    ...SWEEP,
    queue,
    run: async (_context, _data, signal) => {
      ran.push(Date.now());
      await work(signal);
    },
    sweep: { everyMs: () => 50, isDue: async () => isDue, by: 'one' },
  });
  const start = async (queue: string, more: Partial<Job> = {}) => {
    jobs.push(await startJobs(config, [SWEEP, { ...jobOf(queue), ...more }], 0));
  };
  const metric = async (name: string, labels: object) => {
    const found = (await registry.getMetricsAsJSON()).find((one) => one.name === name);
    const values = found?.values as { value: number; labels: Record<string, string> }[];
    return values?.find((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value))?.value;
  };

  it('are made of what is due, and not when nothing is', async () => {
    await start('due');
    await until(() => ran.length === 1, 'the job to run');
    await delay(300);
    expect(ran).to.have.lengthOf(1);
    expect(await metric('svc_job_runs_total', { queue: 'due', result: 'completed' })).to.equal(1);
    isDue = true;
    await until(() => ran.length === 2, 'the job to run again');
  });

  it('that a dead process had in hand are made again by the next sweep', async () => {
    const { boss, stop } = await startBoss(config, [SWEEP, jobOf('lost')]);
    await boss.send('lost', {}, { singletonKey: '1' });
    expect(await boss.fetch('lost')).to.have.lengthOf(1);
    await stop();
    await start('lost', { inAll: 2 });
    await until(() => ran.length === 1, 'the job to run');
  });

  it('are made anew when the job store was deleted', async () => {
    await start('disposable');
    await until(() => ran.length === 1, 'the job to run');
    await jobs.pop()?.stop();
    if (STORE === 'sqlite') await rm(path.join(store.dataDir, 'jobs'), { recursive: true });
    else await inTransaction((transaction) => queryRaw('DROP SCHEMA pgboss CASCADE', [], transaction));
    isDue = true;
    await start('disposable');
    await until(() => ran.length === 2, 'the job to run');
  });

  it('are told to end before they are given to another process', async () => {
    let endedAfterMs = 0;
    work = async (signal) => {
      const startedAt = Date.now();
      if (signal.aborted) return;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      endedAfterMs = Date.now() - startedAt;
      isDue = false;
    };
    await start('long', { expireIn: 1 });
    await until(() => endedAfterMs > 0, 'the end of the job');
    expect(endedAfterMs).to.be.within(850, LATE_MS);
  });

  it('are told to end when they were given to another process, because this one hung', async function () {
    this.timeout(30_000);
    if (STORE !== 'postgres') this.skip();
    let ended = 0;
    work = async (signal) => {
      isDue = false;
      if (signal.aborted) return;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended += 1;
    };
    await start('hung');
    await until(() => ran.length === 1, 'the job to run');
    // As supervision does when heartbeats stay away.
    await inTransaction((transaction) =>
      queryRaw("UPDATE pgboss.job SET state = 'retry', retry_limit = 0 WHERE name = 'hung'", [], transaction),
    );
    await until(() => ended === 1, 'the end of the job', 10_000);
  });

  it('are swept at once when something is announced, also while one runs', async () => {
    let end = () => {};
    work = () =>
      new Promise((resolve) => {
        isDue = false;
        end = resolve;
      });
    await start('woken', { sweep: { everyMs: () => 60_000, isDue: async () => isDue, by: 'one', wokenBy: 'mail' } });
    await until(() => ran.length === 1, 'the first job');
    isDue = true;
    signals.emit('mail', '');
    end();
    await until(() => ran.length === 2, 'the second job', 2000);
    end();
  });

  it('are shared by processes of which one sweeps, and another when that one stops', async function () {
    if (STORE !== 'postgres') this.skip();
    let asked = 0;
    const sweep: Sweep = {
      everyMs: () => 50,
      isDue: async () => {
        asked += 1;
        return isDue;
      },
      by: 'one',
    };
    isDue = false;
    for (let made = 0; made < 3; made += 1) await start('shared', { sweep });
    await until(() => asked > 0, 'a sweep');
    asked = 0;
    const sweptAt = performance.now();
    await until(() => asked >= 20, 'further sweeps');
    // Three of them would need a third of the time.
    expect(performance.now() - sweptAt).to.be.greaterThan(20 * 50 * 0.7);
    isDue = true;
    await until(() => ran.length === 1, 'the job to run');
    await delay(300);
    expect(ran).to.have.lengthOf(1);
    // Which of them sweeps is not known: after two have stopped, the third does.
    await jobs.pop()?.stop();
    await jobs.pop()?.stop();
    isDue = true;
    await until(() => ran.length === 2, 'the job to run in the last process');
  });

  it('are tried again when they fail, then put with the dead letters, and shown', async () => {
    work = async () => {
      isDue = false;
      throw new Error('out of paper');
    };
    await start('failing', { retryLimit: 2 });
    await until(async () => (await metric('svc_jobs_dead', { queue: 'failing' })) === 1, 'a dead letter', 30_000);
    expect(ran).to.have.lengthOf(3);
    expect(await metric('svc_job_runs_total', { queue: 'failing', result: 'failed' })).to.equal(3);
    expect(await metric('svc_jobs_dead', { queue: 'sweep' })).to.equal(0);
  });
});
