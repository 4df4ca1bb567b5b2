// stores: any
import { expect } from 'chai';
import { reclassClicks } from '../../../src/clicks/bursts/reclassClicks.ts';
import { type Bursts, watchBursts } from '../../../src/clicks/bursts/watchBursts.ts';
import type { Click } from '../../../src/clicks/click.ts';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { collectTraffic } from '../../../src/clicks/collectTraffic.ts';
import { foldLinkCounts } from '../../../src/clicks/linkCountStore.ts';
import { database, dialect } from '../../../src/db/connection/database.ts';
import { query } from '../../../src/db/query.ts';
import { config } from '../../../src/kernel/config.ts';
import { makeClick, makeLink, makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const AT = Date.parse('2026-11-01T12:00:00.000Z');
const QUARTER = AT / 900_000;
const DEFAULTS = { scannerBurstLinks: 20, scannerBurstSeconds: 10 };

describe('bursts in the store', () => {
  let store: OpenStore;
  let project: { id: string; teamId: string };
  let links: string[];
  const watching: Bursts[] = [];

  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  beforeEach(async () => {
    project = await makeProject();
    links = [];
    for (let at = 0; at < 30; at += 1) links.push((await makeLink(project.id)).id);
    await write('DELETE FROM click_arrivals');
  });
  afterEach(async () => {
    for (const bursts of watching.splice(0)) await bursts.stop();
    Object.assign(config, DEFAULTS);
  });

  const write = (sql: string, ...bind: unknown[]) =>
    database().transaction((transaction) => database().query(sql, { bind, transaction }));
  const watch = () => {
    const bursts = watchBursts();
    watching.push(bursts);
    return bursts;
  };
  const click = (at: number, values: Partial<Click> = {}) =>
    makeClick({
      projectId: project.id,
      teamId: project.teamId,
      linkId: links[at % links.length] as string,
      occurredAt: AT + at * 100,
      ...values,
    });
  const follow = (count: number, values: Partial<Click> = {}, from = 0) =>
    Array.from({ length: count }, (_, at) => click(from + at, values));
  const keep = async (clicks: Click[], isAwaited = false) => {
    await storeClicks(clicks, { listening: () => isAwaited });
    await foldLinkCounts();
  };
  const classes = async () => {
    const rows = await query<{ traffic_class: string; traffic_reason: string | null; n: number }>(
      `SELECT traffic_class, traffic_reason, CAST(COUNT(*) AS INTEGER) AS n FROM clicks WHERE project_id = :id
       GROUP BY 1, 2 ORDER BY 1`,
      { id: project.id },
    );
    return rows.map(({ traffic_class, traffic_reason, n }) => `${n} ${traffic_class} ${traffic_reason}`);
  };
  const counted = async () => {
    const sql = 'SELECT CAST(SUM(clicks) AS INTEGER) AS n FROM links WHERE project_id = :id';
    return (await query<{ n: number }>(sql, { id: project.id }))[0]?.n;
  };
  const backlog = () => query('SELECT project_id, quarter, clicks FROM click_arrivals ORDER BY quarter');

  it('re-classes people’s clicks alone, with what counted them, and once', async () => {
    const people = follow(3, { linkId: links[0] as string });
    const bots = follow(2, { trafficClass: 'bot', trafficReason: 'agent' });
    await keep([...people, ...bots]);
    await write('DELETE FROM click_arrivals');
    const given = [...people.slice(0, 2), ...bots, makeClick({ projectId: project.id })];
    expect(await reclassClicks(given)).to.equal(2);
    expect(await reclassClicks(given)).to.equal(0);
    expect(await classes()).to.deep.equal(['2 bot agent', '1 human null', '2 scanner burst']);
    expect(await counted()).to.equal(1);
    expect(await backlog()).to.deep.equal([{ project_id: project.id, quarter: QUARTER, clicks: 2 }]);
  });

  it('never counts less than nothing on a link', async () => {
    const people = follow(2, { linkId: links[0] as string });
    await keep(people);
    await write('UPDATE links SET clicks = 1 WHERE id = $1', links[0]);
    await reclassClicks(people);
    expect(await counted()).to.equal(0);
  });

  it('makes a scanner of an address that follows 21 links of a team, and not of one that follows 20', async () => {
    const bursts = watch();
    const scanner = follow(21, { addressHash: 'scanner' });
    const person = follow(20, { addressHash: 'person' });
    await keep([...scanner, ...person]);
    bursts.observe([...scanner, ...person]);
    await bursts.settled();
    expect(await classes()).to.deep.equal(['20 human null', '21 scanner burst']);
    expect(await counted()).to.equal(20);
  });

  it('adds up the projects of a team', async () => {
    const bursts = watch();
    const clicks = follow(21);
    const other = await makeProject();
    await write('UPDATE projects SET team_id = $1 WHERE id = $2', project.teamId, other.id);
    for (const [at, one] of clicks.entries()) if (at % 2) one.projectId = other.id;
    await keep(clicks);
    bursts.observe(clicks);
    await bursts.settled();
    expect(await classes()).to.deep.equal(['11 scanner burst']);
  });

  it('knows what follows while the burst goes on before it is stored', async () => {
    const bursts = watch();
    const first = follow(25);
    await keep(first);
    bursts.observe(first);
    const next = [...follow(10, {}, 25), click(26, { addressHash: 'somebody else' })];
    const given = await bursts.storing(next, async (clicks) => {
      await keep([...clicks]);
      return clicks;
    });
    expect(given.filter(({ trafficReason }) => trafficReason === 'burst')).to.have.length(10);
    await bursts.settled();
    expect(next.every(({ trafficClass }) => trafficClass === 'human')).to.equal(true);
    expect(await classes()).to.deep.equal(['1 human null', '35 scanner burst']);
    expect(await counted()).to.equal(1);
  });

  it('re-classes more than fit in one transaction', async () => {
    const bursts = watch();
    const clicks = Array.from({ length: 1300 }, (_, at) => click(at, { occurredAt: AT + Math.floor(at / 300) }));
    await keep(clicks);
    bursts.observe(clicks);
    await bursts.settled();
    expect(await classes()).to.deep.equal(['1300 scanner burst']);
  });

  it('finds what an earlier process stored and did not re-class', async () => {
    const clicks = follow(21);
    await keep(clicks);
    await watch().settled();
    expect(await classes()).to.deep.equal(['21 scanner burst']);
  });

  it('finds a burst of which each process has seen a part', async function () {
    if (dialect() !== 'postgres') this.skip();
    const [one, other] = [watch(), watch()];
    await Promise.all([one.settled(), other.settled()]);
    const clicks = follow(22);
    const half = (of: number) => clicks.filter((_, at) => at % 2 === of);
    for (const [bursts, part] of [[one, half(0)] as const, [other, half(1)] as const]) {
      await keep(part);
      bursts.observe(part);
    }
    expect(await classes()).to.deep.equal(['22 human null']);
    await one.settled();
    expect(await classes()).to.deep.equal(['22 scanner burst']);
    await other.settled();
    expect(await counted()).to.equal(0);
  });

  it('waits for a store that is down', async () => {
    const bursts = watch();
    await bursts.settled();
    const clicks = follow(21);
    await keep(clicks);
    await store.goAway();
    bursts.observe(clicks);
    await bursts.settled();
    await store.comeBack();
    await bursts.settled();
    expect(await classes()).to.deep.equal(['21 scanner burst']);
  });

  it('tells of clicks that were not collected yet as a scanner’s', async () => {
    const bursts = watch();
    const clicks = follow(21);
    await keep(clicks.slice(0, 5), true);
    await collectTraffic();
    await keep(clicks.slice(5), true);
    bursts.observe(clicks);
    await bursts.settled();
    await collectTraffic();
    const events = await query<{ traffic_class: string; n: number }>(
      `SELECT traffic_class, CAST(COUNT(*) AS INTEGER) AS n FROM events
       WHERE project_id = :id AND type = 'link.clicked' GROUP BY 1 ORDER BY 1`,
      { id: project.id },
    );
    expect(events).to.deep.equal([
      { traffic_class: 'human', n: 5 },
      { traffic_class: 'scanner', n: 16 },
    ]);
    expect(await counted()).to.equal(0);
  });

  for (const setting of ['scannerBurstLinks', 'scannerBurstSeconds'] as const) {
    it(`is off when ${setting} is 0`, async () => {
      config[setting] = 0;
      const bursts = watch();
      const clicks = follow(30);
      await keep(clicks);
      bursts.observe(clicks);
      await bursts.settled();
      expect(await classes()).to.deep.equal(['30 human null']);
    });
  }

  it('passes over clicks without a team', async () => {
    const bursts = watch();
    // What is in the store when it begins is looked at with the team of its project.
    await bursts.settled();
    const clicks = [...follow(21, { teamId: '', addressHash: 'old' }), ...follow(21)];
    await keep(clicks);
    bursts.observe(clicks);
    await bursts.settled();
    expect(await classes()).to.deep.equal(['21 human null', '21 scanner burst']);
  });
});
