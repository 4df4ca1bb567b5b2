// stores: each
import { expect } from 'chai';
import { readAnalytics } from '../../../src/analytics/analyticsService.ts';
import { buildBlocks } from '../../../src/analytics/columns/buildBlocks.ts';
import { readLinkSeries } from '../../../src/analytics/linkSeriesService.ts';
import { clock, DAY_MS } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { type ClickStore, openClickStore } from './clickStore.ts';
import { randomClicks } from './naive.ts';

const FROM = Date.parse('2026-10-28T07:11:00.123Z');
const TO = Date.parse('2026-11-07T18:31:07.450Z');

describe('The clicks of several links over time', () => {
  let store: ClickStore;

  // Most days have totals, the last two are partly in no block.
  before(async () => {
    store = await openClickStore();
    clock.use({ now: () => TO });
    const clicks = randomClicks(31, 1500, FROM, TO, store.links).map((click) => ({
      ...click,
      projectId: store.projectId,
    }));
    await store.store(clicks.filter(({ occurredAt }) => occurredAt < TO - DAY_MS));
    await buildBlocks();
    await store.store(clicks.filter(({ occurredAt }) => occurredAt >= TO - DAY_MS));
  });

  after(async () => {
    clock.reset();
    await store.close();
  });

  for (const timezone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
    for (const interval of ['1h', '24h', '7d', '30d', '1y', 'all']) {
      it(`${interval}, ${timezone}: are those of each link by itself`, async () => {
        const never = newId('lnk');
        const linkIds = [store.links[3], never, store.links[0], store.links[1]] as string[];
        const { projectId, principal } = store;
        const found = await readLinkSeries(principal, { projectId, linkIds, interval, timezone });
        expect(found.data.map(({ linkId }) => linkId)).to.deep.equal(linkIds);
        for (const { linkId, total, counts } of found.data) {
          if (linkId === never) {
            expect([total, ...new Set(counts)]).to.deep.equal([0, 0]);
            continue;
          }
          const asked = { projectId, interval, timezone, groupBy: 'time', link: linkId };
          const alone = await readAnalytics(principal, asked);
          expect(total).to.equal(alone.total.count);
          expect(counts).to.deep.equal(alone.data.map(({ count }) => count));
          expect(found.starts.map((at) => at.toISOString())).to.deep.equal(alone.data.map(({ key }) => key));
          expect(found.granularity).to.equal(alone.granularity);
        }
      });
    }
  }

  it('are those of the last thirty days where nothing is said', async () => {
    const { projectId, principal, links } = store;
    const { start, end, granularity, timezone, data } = await readLinkSeries(principal, { projectId, linkIds: links });
    expect([start, end]).to.deep.equal([new Date(TO - 30 * DAY_MS), new Date(TO)]);
    expect([granularity, timezone]).to.deep.equal(['day', 'UTC']);
    const all = await readAnalytics(principal, { projectId, interval: '30d' });
    expect(data.reduce((sum, { total }) => sum + total, 0)).to.equal(all.total.count);
  });
});
