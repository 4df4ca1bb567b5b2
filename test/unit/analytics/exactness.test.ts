// plays, stores: each
import { expect } from 'chai';
import { buildBlocks } from '../../../src/analytics/columns/buildBlocks.ts';
import type { Click } from '../../../src/clicks/click.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { type ClickStore, openClickStore } from './clickStore.ts';
import { naive, randomClicks, randomFrom, VALUE_OF } from './naive.ts';

const GROUPS = ['none', 'tag', ...Object.keys(VALUE_OF)];
/** For questions with filters: one that totals may have, one with several keys a click, one that they never have. */
const FEW_GROUPS = ['none', 'country', 'tag', 'utm_source'];
const GRANULARITIES = ['hour', 'day', 'week', 'month'];
const TRAFFIC = ['human', 'all', 'scanner'];
// New York and Auckland change their clocks within these days or near them.
const FROM = Date.parse('2026-10-28T07:11:00.123Z');
const TO = Date.parse('2026-11-07T18:31:07.450Z');
const NEXT_MONTH = new Date('2026-12-03T00:00:00Z');

const RANGES: Record<string, { start: Date; end: Date }> = {
  'whole days': { start: new Date('2026-10-30T00:00:00Z'), end: new Date('2026-11-04T00:00:00Z') },
  'a ragged range': { start: new Date('2026-10-29T10:07:13.001Z'), end: new Date('2026-11-03T03:59:59.999Z') },
  'within a day': { start: new Date('2026-11-01T05:03:00.000Z'), end: new Date('2026-11-01T09:00:00.001Z') },
  'quarters of an hour': { start: new Date('2026-10-30T05:15:00Z'), end: new Date('2026-11-03T18:45:00Z') },
  'more than there is': { start: new Date('2026-10-04T12:00:00Z'), end: NEXT_MONTH },
};
const ZONES = ['Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe'];

const MIXED = 'in blocks and outside';

/** Where the clicks are when they are asked about. */
const STATES: Record<string, (store: ClickStore, clicks: Click[]) => Promise<void>> = {
  'in no block': (store, clicks) => storeAll(store, clicks),
  'in blocks, counted by day': async (store, clicks) => {
    await storeAll(store, clicks);
    await buildBlocks();
  },
  // The last days have no blocks, and of the others some are out of date.
  [MIXED]: async (store, clicks) => {
    const edge = TO - 3 * DAY_MS;
    await storeAll(
      store,
      clicks.filter(({ occurredAt }, at) => occurredAt < edge && at % 50 > 0),
    );
    await buildBlocks();
    await storeAll(
      store,
      clicks.filter(({ occurredAt }, at) => occurredAt >= edge || (at % 50 === 0 && occurredAt < FROM + 4 * DAY_MS)),
    );
    await storeAll(store, clicks);
  },
};

async function storeAll(store: ClickStore, clicks: Click[]): Promise<void> {
  for (let at = 0; at < clicks.length; at += 500) await store.store(clicks.slice(at, at + 500));
}

for (const [state, bringAbout] of Object.entries(STATES)) agree(state, bringAbout, state === MIXED);

/** `isThorough`: where clicks are in every place at once every kind of question is asked, else some of each. */
function agree(state: string, bringAbout: (typeof STATES)[string], isThorough: boolean): void {
  describe(`Analytics of clicks ${state} agree with a count click by click`, () => {
    let store: ClickStore;
    let clicks: Click[];

    before(async () => {
      store = await openClickStore();
      clicks = randomClicks(7, 1500, FROM, TO, store.links).map((click) => ({ ...click, projectId: store.projectId }));
      const foreign = randomClicks(8, 300, FROM, TO, store.links).map((click) => ({
        ...click,
        projectId: 'prj_other',
      }));
      await store.store(foreign);
      await bringAbout(store, clicks);
    });

    after(() => store.close());

    const ofTraffic = (traffic: string) => (click: Click) => traffic === 'all' || click.trafficClass === traffic;

    for (const [name, range] of Object.entries(RANGES).slice(isThorough ? 0 : 3)) {
      for (const traffic of isThorough ? TRAFFIC : ['all']) {
        it(`${name}, ${traffic}: grouped by each dimension`, async () => {
          for (const groupBy of GROUPS) {
            const { total, data, others } = await store.ask({ groupBy, traffic, ...range });
            expect({ total, data }, groupBy).to.deep.equal(
              naive(clicks, { projectId: '', groupBy, ...range }, ofTraffic(traffic)),
            );
            expect(others).to.equal(null);
          }
        });

        it(`${name}, ${traffic}: grouped by time in each zone`, async () => {
          for (const timezone of ZONES) {
            for (const granularity of GRANULARITIES) {
              const asked = { groupBy: 'time', granularity, timezone, ...range };
              const { total, data } = await store.ask({ traffic, ...asked });
              expect({ total, data }, `${timezone} ${granularity}`).to.deep.equal(
                naive(clicks, { projectId: '', ...asked }, ofTraffic(traffic)),
              );
            }
          }
        });
      }
    }

    it('minutes', async () => {
      for (const timezone of ZONES) {
        const asked = {
          groupBy: 'time',
          granularity: 'minute',
          timezone,
          start: RANGES['a ragged range']?.start as Date,
        };
        const range = { ...asked, end: new Date(asked.start.getTime() + 30 * 3_600_000 + 17) };
        const { total, data } = await store.ask(range);
        expect({ total, data }).to.deep.equal(naive(clicks, { projectId: '', ...range }, ofTraffic('human')));
      }
    });

    const FILTERS: [Record<string, string>, (click: Click) => boolean][] = [
      [{ country: 'DE' }, (click) => click.country === 'DE'],
      [{ country: 'de, at' }, (click) => click.country === 'DE' || click.country === 'AT'],
      [{ country: '-US' }, (click) => click.country !== 'US'],
      [{ country: '-US,-DE' }, (click) => click.country !== 'US' && click.country !== 'DE'],
      [{ country: '-US,DE' }, (click) => click.country !== 'US' && click.country !== 'DE'],
      [
        { device: 'mobile', platform: 'ios,other' },
        (click) => click.device === 'mobile' && click.platform !== 'android',
      ],
      [{ browser: "O'Brien :browser ?" }, (click) => click.browser === "O'Brien :browser ?"],
      [
        { browser: "-O'Brien :browser ?,Chrome" },
        (click) => !["O'Brien :browser ?", 'Chrome'].includes(String(click.browser)),
      ],
      [
        { referrerHost: 'NEWS.example', country: '-AT' },
        (click) => click.referrerHost === 'news.example' && click.country !== 'AT',
      ],
      [{ country: 'FR' }, () => false],
      [{ link: 'ext_e1' }, (click) => click.linkId === store.links[1]],
      [{ link: 'ext_e0,ext_e2' }, (click) => click.linkId === store.links[0] || click.linkId === store.links[2]],
      [{ link: '-ext_e0' }, (click) => click.linkId !== store.links[0]],
      [{ utmSource: 'mail', rule: '-rule 1' }, (click) => click.utm?.source === 'mail' && click.rule === null],
      [{ trafficClass: 'bot,scanner' }, (click) => ['bot', 'scanner'].includes(click.trafficClass)],
      [{ slug: 'autumn/2' }, (click) => click.slug === 'autumn/2'],
      [{ eventName: 'buy' }, () => false],
      [{ eventName: '-buy' }, () => true],
    ];

    for (const [filter, passes] of isThorough ? FILTERS : FILTERS.slice(0, 3)) {
      it(`filtered: ${JSON.stringify(filter)}`, async () => {
        for (const [name, range] of Object.entries(RANGES).slice(1, 3)) {
          for (const [at, groupBy] of [...FEW_GROUPS, 'time'].entries()) {
            const traffic = at % 2 === 0 ? 'all' : 'human';
            const asked = { groupBy, timezone: 'America/New_York', granularity: 'day', ...range };
            const { total, data } = await store.ask({ ...asked, ...filter, traffic });
            expect({ total, data }, `${name} ${traffic} ${groupBy}`).to.deep.equal(
              naive(clicks, { projectId: '', ...asked }, (click) => ofTraffic(traffic)(click) && passes(click)),
            );
          }
        }
      });
    }

    it('ranges drawn at random', async () => {
      const random = randomFrom(99);
      const moment = () => Math.floor(FROM - 86_400_000 + random() * (TO - FROM + 2 * 86_400_000));
      for (let round = 0; round < 25; round += 1) {
        const [start = 0, end = 1] = [moment(), moment()].sort((a, b) => a - b);
        const range = { start: new Date(start), end: new Date(end + 1) };
        const traffic = TRAFFIC[round % TRAFFIC.length] ?? 'human';
        const asked = {
          groupBy: round % 2 ? 'time' : 'country',
          granularity: 'day',
          timezone: 'Asia/Kolkata',
          ...range,
        };
        const { total, data } = await store.ask({ ...asked, traffic });
        expect({ total, data }).to.deep.equal(naive(clicks, { projectId: '', ...asked }, ofTraffic(traffic)));
      }
    });
  });
}
