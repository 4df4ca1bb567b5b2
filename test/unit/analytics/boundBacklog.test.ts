// stores: any
import { expect } from 'chai';
import { boundBacklog } from '../../../src/analytics/boundBacklog.ts';
import { buildBlocks } from '../../../src/analytics/columns/buildBlocks.ts';
import { readLinkSeries } from '../../../src/analytics/linkSeriesService.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { stopClock } from '../../support/stopClock.ts';
import { type ClickStore, openClickStore, plainClick } from './clickStore.ts';

const DAY = '2026-11-01';
const MOST = 30;

describe('Clicks that are in no block, of which a query reads a bounded number', () => {
  let store: ClickStore;
  const usual = config.analyticsBacklogClicks;

  before(async () => {
    store = await openClickStore();
    stopClock(Date.parse(`${DAY}T13:00:00Z`));
    config.analyticsBacklogClicks = MOST;
    // In blocks.
    await add('08:00', 1000);
    await add('09:20', 5);
    await buildBlocks();
  });
  after(async () => {
    clock.reset();
    config.analyticsBacklogClicks = usual;
    await store.close();
  });

  const add = (time: string, count: number) =>
    store.store(
      Array.from({ length: count }, () =>
        plainClick(store.projectId, store.links[0] as string, Date.parse(`${DAY}T${time}:00Z`)),
      ),
    );
  const ask = (from: string, to: string, more = {}) =>
    store.ask({ start: new Date(`${DAY}T${from}:00Z`), end: new Date(`${DAY}T${to}:00Z`), ...more });
  const at = (time: string) => new Date(`${DAY}T${time}:00.000Z`);

  it('are all in the answer while they are few', async () => {
    await add('11:00', 20);
    await add('12:10', 10);
    const { total, asOf } = await ask('00:00', '13:00');
    expect([total.count, asOf]).to.deep.equal([1035, null]);
  });

  it('are left out from the first quarter of an hour that is too much, and as_of says so', async () => {
    await add('12:50', 1);
    const { total, asOf } = await ask('00:00', '13:00');
    expect([total.count, asOf]).to.deep.equal([1035, at('12:45')]);
    const series = await ask('00:00', '13:00', { groupBy: 'time', granularity: 'hour' });
    expect(series.data.map(({ count }) => count)).to.deep.equal([0, 0, 0, 0, 0, 0, 0, 0, 1000, 5, 0, 20, 10]);
    expect(series.asOf).to.deep.equal(at('12:45'));
    const links = { projectId: store.projectId, linkIds: [store.links[0] as string], interval: '24h' };
    expect((await readLinkSeries(store.principal, links)).asOf).to.deep.equal(at('12:45'));
  });

  it('do not concern a range without them, and never begin before a range', async () => {
    expect(await ask('08:00', '10:00')).to.deep.include({ asOf: null });
    await add('12:50', MOST);
    expect(await ask('12:50', '13:00')).to.deep.include({ asOf: at('12:50') });
    expect((await ask('12:58', '13:00', { compare: true })).asOf, 'of the period before').to.deep.equal(at('12:56'));
  });

  it('that outdate a block leave it as it is when its clicks are too many', async () => {
    await add('08:10', 3);
    const { total, asOf } = await ask('00:00', '13:00');
    expect([total.count, asOf]).to.deep.equal([1005, at('08:00')]);
    expect((await ask('00:00', '13:00', { country: '-FR' })).total.count).to.equal(1005);
  });

  it('are in the answer again when they are in blocks', async () => {
    clock.use({ now: () => Date.parse('2026-11-02T00:10:00Z') });
    await buildBlocks();
    const { total, asOf } = await ask('00:00', '13:00');
    expect([total.count, asOf]).to.deep.equal([1039 + MOST, null]);
  });
});

describe('the bound of the backlog', () => {
  const block = (from: number, to: number, clicks: number) => ({ from, to, clicks, version: 1 });
  const row = (quarter: number, clicks: number) => ({ quarter, clicks });
  const cases: [what: string, ...Parameters<typeof boundBacklog>, kept: number[], asOf: number | null][] = [
    ['nothing waits', { blocks: [block(0, 4, 99)], backlog: [] }, 10, [], null],
    ['all fits', { blocks: [], backlog: [row(1, 4), row(2, 6)] }, 10, [1, 2], null],
    ['the newest do not fit', { blocks: [], backlog: [row(1, 4), row(2, 7), row(3, 1)] }, 10, [1], 2],
    ['the oldest alone is too much', { blocks: [], backlog: [row(1, 11)] }, 10, [], 1],
    ['a block is read too', { blocks: [block(2, 6, 5)], backlog: [row(1, 1), row(3, 4)] }, 10, [1, 3], null],
    ['it counts once', { blocks: [block(2, 6, 5)], backlog: [row(3, 2), row(4, 2), row(5, 1)] }, 10, [3, 4, 5], null],
    ['it stays as it is', { blocks: [block(2, 6, 8)], backlog: [row(1, 1), row(3, 1), row(5, 1)] }, 10, [1], 3],
    ['one after it', { blocks: [block(2, 4, 8)], backlog: [row(3, 1), row(4, 5)] }, 10, [3], 4],
    ['two blocks', { blocks: [block(0, 2, 5), block(2, 4, 5)], backlog: [row(1, 1), row(2, 1)] }, 11, [1], 2],
  ];
  for (const [what, stock, most, kept, asOf] of cases)
    it(what, () => {
      const { backlog, asOfQuarter } = boundBacklog(stock, most);
      expect([backlog.map(({ quarter }) => quarter), asOfQuarter]).to.deep.equal([kept, asOf]);
    });
});
