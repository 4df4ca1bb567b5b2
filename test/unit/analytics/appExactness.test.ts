// plays, stores: each
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { Tag } from '../../../src/models/Tag.ts';
import { type AppRow, plainRow, storeRows } from '../../support/appRows.ts';
import { type ClickStore, openClickStore } from './clickStore.ts';
import { TAGS } from './naive.ts';
import { KEY_OF, naiveOfApps, randomRows, sumsOf } from './naiveOfApps.ts';

const EVENTS = ['install', 'open', 'app_event'];
const GROUPS = ['none', 'tag', ...Object.keys(KEY_OF)];
const GRANULARITIES = ['hour', 'day', 'week', 'month'];
const ZONES = ['UTC', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe'];
// New York changes its clocks within these days.
const FROM = Date.parse('2026-10-28T07:11:00.123Z');
const TO = Date.parse('2026-11-07T18:31:07.450Z');
const RANGES = {
  'whole days': { start: new Date('2026-10-30T00:00:00Z'), end: new Date('2026-11-04T00:00:00Z') },
  'a ragged range': { start: new Date('2026-10-29T10:07:13.001Z'), end: new Date('2026-11-03T03:59:59.999Z') },
  'more than there is': { start: new Date('2026-10-04T12:00:00Z'), end: new Date('2026-12-03T00:00:00Z') },
};
const RAGGED = RANGES['a ragged range'];

describe('Analytics of apps agree with a count row by row', () => {
  let store: ClickStore;
  let rows: AppRow[];

  before(async () => {
    store = await openClickStore();
    const random = (seed: number, count: number, projectId: string) =>
      randomRows(seed, count, FROM, TO, store.links).map((row) => ({ ...row, projectId }));
    rows = random(11, 2000, store.projectId);
    await storeRows([...rows, ...random(12, 300, 'prj_other')]);
    await inTransaction((transaction) =>
      Tag.bulkCreate(
        TAGS.map((id) => ({ id, name: id, nameKey: id, projectId: store.projectId })),
        { transaction },
      ),
    );
  });

  after(() => store.close());

  for (const event of EVENTS) {
    for (const [name, range] of Object.entries(RANGES)) {
      it(`${event}, ${name}: grouped by each dimension`, async () => {
        for (const groupBy of GROUPS) {
          const asked = { event, groupBy, ...range };
          const { total, data, others } = await store.ask(asked);
          expect({ total, data }, groupBy).to.deep.equal(naiveOfApps(rows, asked));
          expect(others).to.equal(null);
        }
      });

      it(`${event}, ${name}: grouped by time in each zone`, async () => {
        for (const timezone of ZONES) {
          for (const granularity of GRANULARITIES) {
            const asked = { event, groupBy: 'time', granularity, timezone, ...range };
            const { total, data } = await store.ask(asked);
            expect({ total, data }, `${timezone} ${granularity}`).to.deep.equal(naiveOfApps(rows, asked));
          }
        }
      });
    }

    it(`${event}: minutes`, async () => {
      const start = RAGGED.start;
      const end = new Date(start.getTime() + 30 * 3_600_000 + 17);
      const asked = { event, groupBy: 'time', granularity: 'minute', start, end };
      const { total, data } = await store.ask(asked);
      expect({ total, data }).to.deep.equal(naiveOfApps(rows, asked));
    });
  }

  const hasTag = (row: AppRow, tag: string) => row.origin?.tagIds.includes(tag) ?? false;
  const FILTERS: [Record<string, string>, (row: AppRow) => boolean][] = [
    [{ country: 'de,at' }, ({ country }) => country === 'DE' || country === 'AT'],
    [{ country: '-US', platform: 'ios,web' }, (row) => row.country !== 'US' && row.platform !== 'android'],
    [{ link: 'ext_e1' }, ({ link }) => link === store.links[1]],
    [{ link: '-ext_e0,ext_e1' }, ({ link }) => link !== store.links[0] && link !== store.links[1]],
    [{ tag: 'tag_b' }, (row) => hasTag(row, 'tag_b')],
    [{ tag: '-tag_a', appVersion: '1.10' }, (row) => !hasTag(row, 'tag_a') && row.appVersion === '1.10'],
    [{ utmSource: 'mail', rule: '-rule 1' }, ({ origin }) => origin?.utm?.source === 'mail' && origin.rule === null],
    [{ referrerHost: 'NEWS.example' }, ({ origin }) => origin?.referrerHost === 'news.example'],
    [{ eventName: "O'Brien :name ?,view" }, ({ name }) => name === "O'Brien :name ?" || name === 'view'],
    [{ eventName: '-buy' }, ({ name }) => name !== 'buy'],
    [{ matchMethod: 'Referrer,clipboard' }, ({ kind, method }) => kind !== null && method === 'referrer'],
    [
      { matchMethod: '-none', platform: 'ios' },
      (row) => row.platform === 'ios' && !(row.kind !== null && row.method === 'none'),
    ],
    [{ browser: 'Chrome' }, () => false],
    [{ browser: '-Chrome', traffic: 'all' }, () => true],
    [{ traffic: 'bot' }, () => false],
    [{ trafficClass: 'human' }, () => true],
    [{ trafficClass: '-human' }, () => false],
  ];

  for (const [filter, passes] of FILTERS) {
    it(`filtered: ${JSON.stringify(filter)}`, async () => {
      for (const event of EVENTS) {
        for (const groupBy of ['none', 'country', 'tag', 'event_name', 'time']) {
          const asked = { event, groupBy, timezone: 'America/New_York', granularity: 'day', ...RAGGED };
          const { total, data } = await store.ask({ ...asked, ...filter });
          expect({ total, data }, `${event} ${groupBy}`).to.deep.equal(naiveOfApps(rows, asked, passes));
        }
      }
    });
  }

  it('sums up what the limit cuts off, with its values', async () => {
    const asked = { event: 'app_event', groupBy: 'country', ...RAGGED };
    const whole = naiveOfApps(rows, asked).data;
    const { data, others } = await store.ask({ ...asked, limit: 2 });
    expect(data).to.deep.equal(whole.slice(0, 2));
    const cut = whole.slice(2);
    const isCut = ({ name, country, occurredAt }: AppRow) =>
      name !== null &&
      occurredAt >= RAGGED.start.getTime() &&
      occurredAt < RAGGED.end.getTime() &&
      cut.some(({ key }) => key === country);
    expect(others).to.deep.equal({
      count: cut.reduce((sum, { count }) => sum + count, 0),
      unique: cut.reduce((sum, { unique }) => sum + unique, 0),
      values: sumsOf(rows.filter(isCut)),
    });
  });

  it('answers for any years', async () => {
    const ages = { start: new Date('1000-01-01T00:00:00Z'), end: new Date('9999-12-31T00:00:00Z') };
    const { total } = await store.ask({ event: 'open', ...ages });
    expect(total.count).to.equal(rows.filter(({ kind }) => kind !== null).length);
    expect((await store.ask({ event: 'orphan', ...ages })).total.count).to.equal(0);
  });
});

describe('Analytics of apps', () => {
  let store: ClickStore;

  before(async () => {
    store = await openClickStore();
  });

  after(() => store.close());

  it('begins `all` with the first of them', async () => {
    const OLDER: [at: string, given: Partial<AppRow>][] = [
      ['2019-03-01T10:00:00.123Z', { kind: 'reinstall' }],
      ['2018-03-01T10:00:00.124Z', { name: 'view' }],
      ['2017-03-01T10:00:00.125Z', { kind: 'install' }],
    ];
    for (const [at, given] of OLDER) {
      await storeRows([plainRow(store.projectId, Date.parse(at), given)]);
      expect((await store.ask({ interval: 'all' })).start.toISOString()).to.equal(at);
    }
    const countOf = async (event: string) => (await store.ask({ event, interval: 'all' })).total.count;
    expect(await Promise.all(EVENTS.map(countOf))).to.deep.equal([1, 2, 1]);
  });

  it('tells moments apart where hours begin in the middle of a minute', async () => {
    const hours = ['1971-06-01T10:44:29.999Z', '1971-06-01T10:44:30.000Z'];
    await storeRows(hours.map((at) => plainRow(store.projectId, Date.parse(at), { name: 'view' })));
    const { data } = await store.ask({
      event: 'app_event',
      groupBy: 'time',
      granularity: 'hour',
      timezone: 'Africa/Monrovia',
      start: new Date('1971-06-01T10:00:00Z'),
      end: new Date('1971-06-01T11:00:00Z'),
    });
    expect(data.map(({ key, count, unique }) => [key, count, unique])).to.deep.equal([
      ['1971-06-01T09:44:30.000Z', 1, 1],
      ['1971-06-01T10:44:30.000Z', 1, 1],
    ]);
  });

  it('counts a day with thousands of events, also of one moment', async () => {
    const midnight = Date.parse('2026-05-05T00:00:00Z');
    const crowd = Array.from({ length: 10_000 }, (_, at) =>
      plainRow(store.projectId, midnight + (at < 6000 ? 4_000_000 : at * 7999), {
        visitor: `install ${at % 9000}`,
        name: 'buy',
        thousandths: 100n,
        currency: 'EUR',
        country: at % 2 === 0 ? 'DE' : null,
      }),
    );
    await storeRows(crowd);
    for (const groupBy of ['country', 'time', 'event_name']) {
      const day = { start: new Date(midnight), end: new Date(midnight + DAY_MS) };
      const asked = { event: 'app_event', groupBy, granularity: 'hour', ...day };
      const { total, data } = await store.ask(asked);
      expect(total).to.deep.equal({ count: 10_000, unique: 9000, values: [{ currency: 'EUR', sum: 1000 }] });
      expect({ total, data }).to.deep.equal(naiveOfApps(crowd, asked));
    }
  });
});
