// stores: each
import { expect } from 'chai';
import { buildBlocks } from '../../../src/analytics/columns/buildBlocks.ts';
import { buildDay } from '../../../src/analytics/columns/buildDay.ts';
import { withDayLease } from '../../../src/analytics/columns/dayLeases.ts';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { database } from '../../../src/db/connection/database.ts';
import { query } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { stopClock } from '../../support/stopClock.ts';
import { type ClickStore, openClickStore, plainClick } from './clickStore.ts';

const DAY = '2026-11-01';
const RANGE = { start: new Date(`${DAY}T00:00:00Z`), end: new Date('2026-11-02T00:00:00Z') };

describe('Blocks of clicks', () => {
  let store: ClickStore;
  beforeEach(async () => {
    store = await openClickStore();
  });
  afterEach(() => store.close());

  const rowsOf = async (table: string) =>
    (
      await query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE project_id = :id`, { id: store.projectId })
    )[0]?.n;
  const count = async () => (await store.ask(RANGE)).total.count;
  const change = (sql: string) => inTransaction((transaction) => database().query(sql, { transaction }));

  it('are made of days that are over, which are counted then', async () => {
    await store.click(`${DAY}T10:00:00Z`);
    await store.click(`${DAY}T23:59:59.999Z`);
    await buildBlocks();
    expect([await rowsOf('click_blocks'), await rowsOf('click_arrivals')]).to.deep.equal([1, 0]);
    expect(await rowsOf('click_totals')).to.be.above(10);
    expect(await count()).to.equal(2);
  });

  it('are counted later when the process that made them was killed before', async () => {
    await store.click(`${DAY}T10:00:00Z`);
    const killedWhileCounting = async () => {
      if (Number(await rowsOf('click_arrivals')) === 0) throw new Error('killed');
    };
    const day = Date.parse(DAY) / 86_400_000;
    const asked = { projectId: store.projectId, day, closedBefore: (day + 1) * 96 };
    await buildDay(asked, killedWhileCounting).then(
      () => expect.fail('it was not killed'),
      ({ message }: Error) => expect(message).to.equal('killed'),
    );
    expect([await rowsOf('click_blocks'), await rowsOf('click_totals')]).to.deep.equal([1, 0]);
    await buildBlocks();
    expect(await rowsOf('click_totals')).to.be.above(10);
    expect([await rowsOf('click_uncounted'), await count()]).to.deep.equal([0, 1]);
  });

  it('of a day that is not over wait until there are many clicks, and hold closed quarters alone', async () => {
    stopClock(Date.parse(`${DAY}T10:20:00Z`));
    try {
      await store.click(`${DAY}T10:01:00Z`);
      await buildBlocks();
      expect(await rowsOf('click_blocks')).to.equal(0);
      const many = Array.from({ length: 5000 }, () =>
        plainClick(store.projectId, store.links[0] as string, Date.parse(`${DAY}T09:00:00Z`)),
      );
      await storeClicks(many, { listening: () => false });
      await store.click(`${DAY}T10:16:00Z`);
      await buildBlocks();
      expect([await rowsOf('click_blocks'), await rowsOf('click_arrivals')]).to.deep.equal([1, 1]);
      expect(await rowsOf('click_totals')).to.equal(0);
      expect((await store.ask({ interval: '24h' })).total).to.include({ count: 5002, unique: 1 });
      await store.click(`${DAY}T09:02:00Z`);
      await buildBlocks();
      expect(await rowsOf('click_arrivals'), 'an outdated block does not wait').to.equal(1);
      expect((await store.ask({ interval: '24h' })).total.count).to.equal(5003);
    } finally {
      clock.reset();
    }
  });

  it('are made anew when a click comes late or changes its class', async () => {
    await store.click(`${DAY}T10:00:00Z`);
    await store.click(`${DAY}T11:00:00Z`, { visitor: 'another' });
    await buildBlocks();
    await store.click(`${DAY}T10:30:00Z`, { visitor: 'a third' });
    expect(await count()).to.equal(3);
    await change("UPDATE clicks SET traffic_class = 'scanner' WHERE visitor = 'another'");
    await change(`INSERT INTO click_backlog (project_id, quarter, clicks)
      VALUES ('${store.projectId}', ${Date.parse(`${DAY}T11:00:00Z`) / 900_000}, 1)`);
    expect(await count()).to.equal(2);
    await buildBlocks();
    expect(await rowsOf('click_arrivals')).to.equal(0);
    expect(await count()).to.equal(2);
    expect(
      (await store.ask({ ...RANGE, groupBy: 'traffic_class' })).data.map(({ key, count }) => [key, count]),
    ).to.deep.equal([
      ['human', 2],
      ['scanner', 1],
    ]);
  });

  it('are the same when several build at once, and clicks come meanwhile', async () => {
    const at = (minute: number) =>
      `${DAY}T${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00Z`;
    for (let minute = 0; minute < 600; minute += 30) await store.click(at(minute), { visitor: `v${minute}` });
    await Promise.all([
      buildBlocks(),
      buildBlocks(),
      ...Array.from({ length: 10 }, (_, more) => store.click(at(more * 60 + 7), { visitor: `w${more}` })),
      buildBlocks(),
    ]);
    expect(await count()).to.equal(30);
    await buildBlocks();
    expect(await count()).to.equal(30);
    expect((await store.ask(RANGE)).total.unique).to.equal(30);
    expect(await rowsOf('click_arrivals')).to.equal(0);
  });

  it('have every click that was stored between reading and writing them', async () => {
    await store.click(`${DAY}T10:00:00Z`);
    let isLate = false;
    const clickMeanwhile = async () => {
      if (isLate) return;
      isLate = true;
      await store.click(`${DAY}T10:00:01Z`, { visitor: 'late' });
    };
    const day = Date.parse(DAY) / 86_400_000;
    await buildDay({ projectId: store.projectId, day, closedBefore: (day + 1) * 96 }, clickMeanwhile);
    expect(await rowsOf('click_blocks'), 'a block that lacks a click').to.equal(0);
    expect(await count()).to.equal(2);
    await buildBlocks();
    expect([await rowsOf('click_blocks'), await rowsOf('click_arrivals'), await count()]).to.deep.equal([1, 0, 2]);
  });

  it('of a day that another process builds are left to it', async () => {
    await store.click(`${DAY}T10:00:00Z`);
    const day = Date.parse(DAY) / 86_400_000;
    await withDayLease({ projectId: store.projectId, day }, async () => {
      await buildBlocks();
      expect(await rowsOf('click_blocks')).to.equal(0);
    });
    await buildBlocks();
    expect(await rowsOf('click_blocks')).to.equal(1);
  });

  it('keep their figures when single clicks are gone, and a click that comes after that', async () => {
    await store.click(`${DAY}T10:00:00Z`);
    await store.click(`${DAY}T10:01:00Z`, { visitor: 'another' });
    await buildBlocks();
    await change('DELETE FROM clicks');
    expect(await count()).to.equal(2);
    await store.click(`${DAY}T10:02:00Z`);
    await buildBlocks();
    expect(await count()).to.equal(2);
    expect(
      (await store.ask({ ...RANGE, groupBy: 'platform', start: new Date(`${DAY}T10:00:30Z`) })).data,
    ).to.deep.include({
      key: 'ios',
      count: 1,
      unique: 1,
      values: null,
    });
  });

  it('answer for all time, from the first click on', async () => {
    await store.click('2025-03-01T10:00:00Z');
    await buildBlocks();
    const { total, start } = await store.ask({ interval: 'all' });
    expect(total.count).to.equal(1);
    expect(start.toISOString()).to.equal('2025-03-01T10:00:00.000Z');
    expect(clock.now()).to.be.above(start.getTime());
  });
});
