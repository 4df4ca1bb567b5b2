// stores: each
import { expect } from 'chai';
import {
  type AnalyticsInput,
  type Group,
  readAnalytics,
  readBreakdowns,
} from '../../../src/analytics/analyticsService.ts';
import { buildBlocks } from '../../../src/analytics/columns/buildBlocks.ts';
import type { Click } from '../../../src/clicks/click.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { storeRows } from '../../support/appRows.ts';
import { type ClickStore, openClickStore } from './clickStore.ts';
import { randomClicks, randomFrom, VALUE_OF } from './naive.ts';
import { randomRows } from './naiveOfApps.ts';

const GROUPS = ['none', 'time', 'tag', 'app_version', ...Object.keys(VALUE_OF)] as Group[];
const EVENTS = ['click', 'click', 'click', 'install', 'open', 'app_event', 'orphan'];
const TRAFFIC = [null, 'all', 'human', 'scanner'];
const FROM = Date.parse('2026-10-28T07:11:00.123Z');
const TO = Date.parse('2026-11-07T18:31:07.450Z');
const FILTERS: Partial<AnalyticsInput>[] = [
  {},
  {},
  { country: 'DE' },
  { country: 'DE,AT', device: '-mobile' },
  { link: 'ext_e1,ext_e2' },
  { trafficClass: 'bot,scanner' },
  { utmSource: '-mail' },
  { referrerHost: 'Ä.example', platform: 'ios,android' },
];
const ROUNDS = 60;

describe('Breakdowns in one pass', () => {
  let store: ClickStore;

  // Clicks of the last days are in no block, and some late ones have outdated the blocks of the first days.
  before(async () => {
    store = await openClickStore();
    const clicks = randomClicks(21, 1500, FROM, TO, store.links).map((click) => ({
      ...click,
      projectId: store.projectId,
    }));
    const isLate = ({ occurredAt }: Click, at: number) =>
      occurredAt > TO - 2 * DAY_MS || (at % 40 === 0 && occurredAt < FROM + 3 * DAY_MS);
    await storeAll(clicks.filter((click, at) => !isLate(click, at)));
    await buildBlocks();
    await storeAll(clicks.filter(isLate));
    const rows = randomRows(22, 500, FROM, TO, store.links);
    await storeRows(rows.map((row) => ({ ...row, projectId: store.projectId })));
  });

  after(() => store.close());

  const storeAll = async (clicks: Click[]) => {
    for (let at = 0; at < clicks.length; at += 500) await store.store(clicks.slice(at, at + 500));
  };

  it('are the same as each question by itself, whatever is asked', async () => {
    const random = randomFrom(5);
    const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
    // Often a whole day, which stored totals answer for some groupings and not for others.
    const moment = () => {
      const at = FROM - DAY_MS + random() * (TO - FROM + 2 * DAY_MS);
      return random() < 0.4 ? Math.floor(at / DAY_MS) * DAY_MS : Math.floor(at);
    };
    let counted = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [start = 0, end = 1] = [moment(), moment()].sort((a, b) => a - b);
      const input = {
        projectId: store.projectId,
        event: pick(EVENTS),
        start: new Date(start),
        end: new Date(end + 1),
        traffic: pick(TRAFFIC),
        timezone: pick(['UTC', 'Asia/Kolkata']),
        limit: pick([1, 3, 100]),
        ...pick(FILTERS),
      };
      const groupBys = GROUPS.filter(() => random() < 0.6);
      const together = await readBreakdowns(store.principal, { ...input, groupBys });
      const alone: unknown[] = [];
      for (const groupBy of groupBys) alone.push(await readAnalytics(store.principal, { ...input, groupBy }));
      expect(together, JSON.stringify({ ...input, groupBys })).to.deep.equal(alone);
      counted += together.reduce((sum, { total }) => sum + total.count, 0);
    }
    expect(counted).to.be.above(10_000);
  }).timeout(240_000);

  it('leave each grouping its own classes of traffic', async () => {
    const asked = { projectId: store.projectId, start: new Date(FROM), end: new Date(TO) };
    const groupBys: Group[] = ['country', 'traffic_class'];
    const [byCountry, byClass] = await readBreakdowns(store.principal, { ...asked, groupBys });
    const human = byClass?.data.find(({ key }) => key === 'human');
    expect(byCountry?.total.count)
      .to.equal(human?.count)
      .and.to.be.below(byClass?.total.count as number);
  });
});
