// stores: any
import { expect } from 'chai';
import { query } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { checkDueProjects } from '../../../src/health/checkDueProjects.ts';
import { recordRun } from '../../../src/health/checkProject.ts';
import { purgeHealthHistory } from '../../../src/health/healthStore.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { INSTANCE_PATH } from '../../../src/kernel/origins.ts';
import { instanceMark } from '../../../src/kernel/secrets.ts';
import { Domain } from '../../../src/models/Domain.ts';
import { HealthEntry } from '../../../src/models/HealthEntry.ts';
import { HealthTurn } from '../../../src/models/HealthTurn.ts';
import { Project } from '../../../src/models/Project.ts';
import { Team } from '../../../src/models/Team.ts';
import { LATE_MS } from '../../support/lateness.ts';
import { Loopback } from '../../support/loopback.ts';
import { NameServer } from '../../support/nameServer.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { renameTable } from '../../support/storeFaults.ts';
import { until } from '../../support/until.ts';

const INTERVAL_SECONDS = 300;
const NAME = 'go.acme.test';

/** Workers of several processes are played by several calls: what they share is the store alone. */
describe('health checks of projects that are due', () => {
  const loopback = new Loopback();
  let store: OpenStore;
  let names: NameServer;
  let time: StoppedClock;
  let projectId: string;
  let asked: number;
  let answer: 'mark' | 'error' | 'silence';

  before(async () => {
    names = await NameServer.start();
    const port = await loopback.http((request, response) => {
      if (request.url !== INSTANCE_PATH) return void response.end();
      asked += 1;
      if (answer === 'mark') response.end(instanceMark());
      if (answer === 'error') response.writeHead(500).end();
    });
    store = await openStore({
      ALLOW_PRIVATE_TARGETS: 'true',
      DNS_SERVERS: names.servers.join(','),
      LINK_DOMAIN: `${NAME}:${port}`,
      HEALTH_CHECK_SECONDS: String(INTERVAL_SECONDS),
      HEALTH_RUN_SECONDS: '2',
      PROBE_TIMEOUT_SECONDS: '1',
    });
  });
  after(async () => {
    await store.close();
    await Promise.all([names.close(), loopback.close()]);
  });
  beforeEach(async () => {
    time = stopClock();
    names.zones[NAME] = { A: ['127.0.0.1'] };
    [asked, answer] = [0, 'mark'];
    projectId = await makeProject();
  });
  afterEach(async () => {
    clock.reset();
    await inTransaction(async (transaction) => {
      await HealthTurn.destroy({ where: {}, transaction });
      await Project.destroy({ where: {}, transaction });
    });
  });

  const makeProject = () =>
    inTransaction(async (transaction) => {
      const { id: teamId } = await Team.create({ id: newId('team'), name: 'Acme' }, { transaction });
      return (await Project.create({ id: newId('prj'), teamId, name: 'Shop', apps: [] }, { transaction })).id;
    });
  const work = (signal = new AbortController().signal) => checkDueProjects(signal);
  /** An interval goes by, in which the project is due once; two workers look. */
  const pass = async (intervals = 1) => {
    for (let gone = 0; gone < intervals; gone += 1) {
      time.move(INTERVAL_SECONDS);
      await Promise.all([work(), work()]);
    }
  };
  const health = async () => (await Project.findByPk(projectId))?.health;
  const turn = () => HealthTurn.findByPk(projectId);
  const eventsOf = async () =>
    (await query<{ type: string }>('SELECT type FROM events WHERE project_id = :projectId ORDER BY id', { projectId }))
      .map(({ type }) => type)
      .filter((type) => type.startsWith('health.'));
  const alerts = () =>
    query<{ resolved_at: unknown; message: string }>(
      "SELECT resolved_at, message FROM alerts WHERE project_id = :projectId AND kind = 'health'",
      { projectId },
    );

  it('run once an interval, whatever the number of workers', async () => {
    await work();
    expect(asked).to.equal(0);
    await pass(4);
    expect([asked, await health()]).to.deep.equal([4, 'passing']);
  });

  it('run once after a pause, and then at the times they had before', async () => {
    await work();
    const first = (await turn())?.dueAt.getTime() ?? 0;
    time.move(100 * INTERVAL_SECONDS);
    await Promise.all([work(), work(), work()]);
    expect(asked).to.equal(1);
    const next = (await turn())?.dueAt.getTime() ?? 0;
    expect((next - first) % (INTERVAL_SECONDS * 1000)).to.equal(0);
    expect(next - time.nowMs).to.be.within(1, INTERVAL_SECONDS * 1000);
  });

  it('give every project its own time, spread over the interval', async () => {
    for (let made = 0; made < 20; made += 1) await makeProject();
    await work();
    const dueAt = (await HealthTurn.findAll()).map((row) => row.dueAt.getTime() - time.nowMs);
    expect(dueAt).to.have.length(21);
    expect(new Set(dueAt).size).to.be.greaterThan(18);
    expect(Math.max(...dueAt) - Math.min(...dueAt)).to.be.greaterThan((INTERVAL_SECONDS * 1000) / 3);
  });

  it('go on when the clock was set back, or the interval made shorter', async () => {
    await work();
    time.move(-30 * 86_400);
    await work();
    expect((await turn())?.dueAt.getTime()).to.be.at.most(time.nowMs + INTERVAL_SECONDS * 1000);
    await pass();
    expect(asked).to.equal(1);
  });

  it('tell of a failure and its end once, with two workers in each run', async () => {
    await work();
    await pass();
    answer = 'error';
    await pass(1);
    expect([await health(), await eventsOf(), await alerts()]).to.deep.equal(['passing', [], []]);
    await pass(5);
    expect([await health(), await eventsOf()]).to.deep.equal(['failing', ['health.failed']]);
    expect(await alerts()).to.have.length(1);
    answer = 'mark';
    await pass(3);
    expect([await health(), await eventsOf()]).to.deep.equal(['passing', ['health.failed', 'health.recovered']]);
    const [alert, ...more] = await alerts();
    expect(more).to.deep.equal([]);
    expect(alert?.resolved_at).to.not.equal(null);
  });

  it('tell once of what several runs find at the same moment', async () => {
    await work();
    await pass();
    answer = 'error';
    await pass();
    const fail = { status: 'fail', message: 'It fails.' } as const;
    const run = { results: new Map([['link_domains_resolve', fail]]), startedAt: new Date(time.nowMs) };
    await Promise.all(Array.from({ length: 8 }, () => recordRun(projectId, run, null)));
    expect([await health(), await eventsOf()]).to.deep.equal(['failing', ['health.failed']]);
    expect(await alerts()).to.have.length(1);
    const entries = await HealthEntry.findAll({ where: { projectId, name: 'link_domains_resolve', until: null } });
    expect(entries.map(({ status }) => status)).to.deep.equal(['fail']);
  });

  it('tell once of what a worker could not write down to the end', async () => {
    await work();
    await pass();
    answer = 'error';
    await pass();
    // The checks are written before their history, the event after it.
    await renameTable('health_history', 'away');
    await pass();
    await renameTable('away', 'health_history');
    expect([await health(), await eventsOf(), await alerts()]).to.deep.equal(['passing', [], []]);
    // Its lease ends.
    time.move(4);
    await work();
    expect([await health(), await eventsOf()]).to.deep.equal(['failing', ['health.failed']]);
    await pass(2);
    expect(await eventsOf()).to.deep.equal(['health.failed']);
    expect(await alerts()).to.have.length(1);
  });

  it('keep the lease of a worker that died, and take its place when it is over', async () => {
    await work();
    time.move(INTERVAL_SECONDS);
    const leaseUntil = new Date(time.nowMs + 3000);
    await inTransaction((transaction) => HealthTurn.update({ leaseUntil }, { where: { projectId }, transaction }));
    await work();
    expect(asked).to.equal(0);
    time.move(3);
    await work();
    expect(asked).to.equal(1);
  });

  it('are not held up by a host that hangs', async () => {
    const other = await makeProject();
    await work();
    answer = 'silence';
    time.move(INTERVAL_SECONDS);
    const startedAt = performance.now();
    await work();
    expect(performance.now() - startedAt).to.be.below(5000 + LATE_MS);
    for (const id of [projectId, other]) expect((await HealthTurn.findByPk(id))?.ranAt).to.not.equal(null);
  });

  it('end with the process: nothing is written, and the turn is given back', async () => {
    await work();
    answer = 'silence';
    time.move(INTERVAL_SECONDS);
    const stopping = new AbortController();
    const { probeTimeoutSeconds, healthRunSeconds } = config;
    Object.assign(config, { probeTimeoutSeconds: 3600, healthRunSeconds: 3600 });
    try {
      const working = work(stopping.signal);
      await until(() => asked === 1, 'the request');
      stopping.abort();
      await working;
    } finally {
      Object.assign(config, { probeTimeoutSeconds, healthRunSeconds });
    }
    const { leaseUntil, ranAt } = (await turn()) as HealthTurn;
    expect([leaseUntil, ranAt]).to.deep.equal([null, null]);
    answer = 'mark';
    await work();
    expect(await health()).to.equal('passing');
  });

  it('leave a check as it was that could not be run', async () => {
    await work();
    await pass();
    // No app that was ever let in: the check stumbles over it.
    const apps = [{ platform: 'android', package: 'com.acme.app' }] as never;
    await inTransaction((transaction) => Project.update({ apps }, { where: { id: projectId }, transaction }));
    await pass(3);
    expect([asked, await health(), await eventsOf()]).to.deep.equal([4, 'passing', []]);
    const [check] = await query<{ status: string; message: string }>(
      "SELECT status, message FROM health_checks WHERE project_id = :projectId AND name = 'asset_links'",
      { projectId },
    );
    expect(check).to.deep.equal({ status: 'skip', message: 'The project has no Android apps.' });
  });

  it('say quietly in the alert what else fails', async () => {
    await work();
    await pass();
    answer = 'error';
    await pass(2);
    const before = await alerts();
    const hostname = 'nowhere.acme.test';
    const link = { kind: 'link', status: 'verified', verifiedAt: new Date() } as const;
    await inTransaction((transaction) =>
      Domain.create({ id: newId('dom'), projectId, hostname, ...link }, { transaction }),
    );
    await pass(2);
    const after = await alerts();
    expect([before.length, after.length, await eventsOf()]).to.deep.equal([1, 1, ['health.failed']]);
    expect(before[0]?.message).to.not.include(hostname);
    expect(after[0]?.message).to.include(hostname);
  });

  it('leave a history of what each check said, for as long as the settings say', async () => {
    await work();
    await pass(3);
    answer = 'error';
    await pass(4);
    answer = 'mark';
    await pass(2);
    const name = 'link_domains_resolve';
    const entries = await HealthEntry.findAll({ where: { projectId, name }, order: [['since', 'ASC']] });
    expect(entries.map(({ status }) => status)).to.deep.equal(['pass', 'fail', 'pass']);
    const times = entries.flatMap(({ since, until: end }) => [since, end]);
    expect(times[1]).to.deep.equal(times[2]);
    expect(times[3]).to.deep.equal(times[4]);
    expect(times[5]).to.equal(null);
    expect(Number(times[3]) - Number(times[2])).to.equal(3 * INTERVAL_SECONDS * 1000);
    time.move(config.healthHistoryDays * 86_400 - 3 * INTERVAL_SECONDS);
    expect(await purgeHealthHistory(1)).to.equal(true);
    expect(await purgeHealthHistory(100)).to.equal(false);
    const left = await HealthEntry.findAll({ where: { projectId, name }, order: [['since', 'ASC']] });
    expect(left.map(({ status }) => status)).to.deep.equal(['fail', 'pass']);
  });
});
