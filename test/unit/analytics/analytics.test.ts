// stores: each
import { expect } from 'chai';
import { NOBODY } from '../../../src/access/principal.ts';
import { type AnalyticsInput, readAnalytics } from '../../../src/analytics/analyticsService.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { CodedError } from '../../../src/kernel/errors.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Tag } from '../../../src/models/Tag.ts';
import { type ClickStore, openClickStore } from './clickStore.ts';

const NOW = '2026-11-10T12:00:00.500Z';
const NOTHING = { count: 0, unique: 0, values: null };

type Asked = Omit<AnalyticsInput, 'projectId'>;

describe('Analytics', () => {
  let store: ClickStore;

  before(async () => {
    store = await openClickStore();
    clock.use({ now: () => Date.parse(NOW) });
    await store.click('2026-11-08T10:00:00.000Z', { country: 'DE', visitor: 'a' });
    await store.click('2026-11-10T11:30:00.000Z', { country: 'AT', visitor: 'a' });
    await store.click('2026-11-10T11:40:00.000Z', { country: 'AT', visitor: 'b' });
    await store.click('2026-11-10T11:50:00.000Z', { country: 'DE', visitor: 'b' });
    await store.click('2026-11-10T11:55:00.000Z', { visitor: 'b', linkId: newId('lnk') });
    await store.click('2026-11-10T11:59:00.000Z', { country: 'US', visitor: 'c', trafficClass: 'bot' });
  });

  after(async () => {
    clock.reset();
    await store.close();
  });

  it('counts the clicks of people in the last 24 hours where nothing is said', async () => {
    expect(await store.ask({})).to.deep.equal({
      event: 'click',
      groupBy: 'none',
      start: new Date('2026-11-09T12:00:00.500Z'),
      end: new Date(NOW),
      timezone: 'UTC',
      asOf: null,
      granularity: null,
      total: { count: 4, unique: 2, values: null },
      data: [],
      others: null,
      previousStart: null,
      previousEnd: null,
      previous: null,
      previousData: null,
    });
  });

  it('takes null for what is not said', async () => {
    const nothing = {
      groupBy: null,
      interval: null,
      start: null,
      end: null,
      traffic: null,
      limit: null,
      country: null,
    };
    expect(await store.ask(nothing)).to.deep.equal(await store.ask({}));
  });

  it('gives null as the key of what is not known, and sums up what the limit cuts off', async () => {
    const { data, others, total } = await store.ask({ groupBy: 'country', interval: '7d', limit: 1 });
    expect(data).to.deep.equal([{ key: 'AT', count: 2, unique: 2, values: null }]);
    expect(others).to.deep.equal({ count: 3, unique: 3, values: null });
    expect(total).to.deep.equal({ count: 5, unique: 3, values: null });
    const whole = await store.ask({ groupBy: 'country', interval: '7d', limit: 3 });
    expect(whole.data.map(({ key }) => key)).to.deep.equal(['AT', 'DE', null]);
    expect(whole.others).to.equal(null);
  });

  it('counts a visitor of two classes once where all traffic is asked for', async () => {
    const at = '2026-11-04T10:00:00.000Z';
    for (const trafficClass of ['human', 'bot'] as const) await store.click(at, { visitor: 'x', trafficClass });
    const day = { start: new Date('2026-11-04T00:00:00Z'), end: new Date('2026-11-05T00:00:00Z') };
    expect((await store.ask({ ...day, traffic: 'all' })).total).to.deep.equal({ count: 2, unique: 1, values: null });
    expect((await store.ask({ ...day, traffic: 'bot' })).total).to.deep.equal({ count: 1, unique: 1, values: null });
  });

  it('gives a time series without gaps, also where there are no clicks', async () => {
    const start = new Date('2020-01-01T10:30:00Z');
    const { data, granularity } = await store.ask({ groupBy: 'time', start, end: new Date('2020-01-01T14:00:00Z') });
    expect(granularity).to.equal('hour');
    expect(data).to.deep.equal([10, 11, 12, 13].map((hour) => ({ key: `2020-01-01T${hour}:00:00.000Z`, ...NOTHING })));
  });

  it('ends now where only start is given', async () => {
    const { end, total } = await store.ask({ start: new Date('2026-11-10T11:45:00Z') });
    expect(end.toISOString()).to.equal(NOW);
    expect(total.count).to.equal(2);
  });

  it('begins `all` with the first click or the project, whichever is earlier', async () => {
    const all = await store.ask({ interval: 'all' });
    expect(all.start.toISOString()).to.equal('2026-11-04T10:00:00.000Z');
    expect(all.total.count).to.equal(6);
    const projectId = store.emptyProjectId;
    const empty = await readAnalytics(
      { ...store.principal, projectId },
      { projectId, interval: 'all', groupBy: 'time' },
    );
    expect(empty.total).to.deep.equal(NOTHING);
    expect(empty.data).to.have.length(1);
  });

  it('answers for any years', async () => {
    const ages = { start: new Date('0000-01-01T00:00:00Z'), end: new Date('9999-12-31T23:59:59Z') };
    expect((await store.ask({ ...ages, groupBy: 'country', traffic: 'all' })).total.count).to.equal(8);
    expect((await store.ask({ ...ages, end: new Date('0001-01-01T00:00:00Z') })).total).to.deep.equal(NOTHING);
  });

  const [early, late] = [new Date('2026-11-01T00:00:00Z'), new Date('2026-11-02T00:00:00Z')];
  const REFUSED: [Asked, paths: string[]][] = [
    [{ end: late }, ['start']],
    [{ start: late, end: early }, ['end']],
    [{ start: late, end: late }, ['end']],
    [{ start: new Date('2026-11-11T00:00:00Z') }, ['end']],
    [{ interval: '24h', start: early, end: late }, ['interval']],
    [{ interval: '24h', end: late, country: 'DE,,AT' }, ['interval', 'start', 'country']],
    [{ groupBy: 'time', interval: '30d', granularity: 'minute' }, ['granularity']],
    [{ country: '-' }, ['country']],
    [{ referrerHost: 'a.example,-b.example' }, ['referrer_host']],
    [{ browser: 'zero\0' }, ['browser']],
    [{ link: 'ext_e0,ext_unknown' }, ['link']],
    [{ link: newId('lnk') }, ['link']],
  ];
  for (const [asked, paths] of REFUSED) {
    it(`refuses ${JSON.stringify(asked)} at ${paths.join(', ')}`, async () => {
      const refusal = await refusalOf(store.ask(asked));
      expect(refusal.code).to.equal('validation_failed');
      expect(refusal.fields?.map(({ path }) => path)).to.deep.equal(paths);
    });
  }

  it('finds links of the project alone', async () => {
    expect((await store.ask({ link: store.links[0] ?? '' })).total.count).to.equal(3);
    expect((await refusalOf(store.ask({ link: store.foreignLink }))).fields?.[0]?.path).to.equal('link');
  });

  it('counts nothing of events that never happened, with sums of money where events have them', async () => {
    for (const event of ['install', 'open', 'orphan'])
      expect(await store.ask({ event, groupBy: 'country' })).to.deep.include({ event, total: NOTHING, data: [] });
    expect((await store.ask({ event: 'app_event' })).total).to.deep.equal({ ...NOTHING, values: [] });
  });

  it('groups by the names of tags, whose clicks count under each of them, and filters by name', async () => {
    const tags = ['Spring', 'Sale'].map((name) => ({ id: newId('tag'), name, nameKey: name.toLowerCase() }));
    await inTransaction((transaction) =>
      Tag.bulkCreate(
        tags.map((tag) => ({ ...tag, projectId: store.projectId })),
        { transaction },
      ),
    );
    const at = '2026-10-01T10:00:00.000Z';
    await store.click(at, { tagIds: tags.map(({ id }) => id) });
    await store.click(at, { tagIds: [tags[0]?.id as string], visitor: 'b' });
    await store.click(at, { visitor: 'b' });
    const day = { start: new Date('2026-10-01T00:00:00Z'), end: new Date('2026-10-02T00:00:00Z') };
    const grouped = await store.ask({ ...day, groupBy: 'tag' });
    expect(grouped.total.count).to.equal(3);
    expect(grouped.data.map(({ key, count }) => [key, count])).to.deep.equal([
      ['Spring', 2],
      [null, 1],
      ['Sale', 1],
    ]);
    expect((await store.ask({ ...day, tag: 'SALE' })).total.count).to.equal(1);
    expect((await store.ask({ ...day, tag: '-sale' })).total.count).to.equal(2);
    const refusal = await store.ask({ ...day, tag: 'winter' }).catch((error: CodedError) => error);
    expect((refusal as CodedError).code).to.equal('validation_failed');
  });

  it('shows every class to who groups by it or filters by it', async () => {
    const keys = async (asked: Asked) =>
      (await store.ask({ groupBy: 'traffic_class', ...asked })).data.map(({ key }) => key);
    expect(await keys({})).to.deep.equal(['human', 'bot']);
    expect(await keys({ traffic: 'human' })).to.deep.equal(['human']);
    expect((await store.ask({ trafficClass: 'bot,scanner' })).total.count).to.equal(1);
  });

  it('asks for the right to read the project', async () => {
    const asked = { projectId: store.projectId };
    expect((await refusalOf(readAnalytics(NOBODY, asked))).code).to.equal('not_signed_in');
    const without = { ...store.principal, scopes: new Set<never>() };
    expect((await refusalOf(readAnalytics(without, asked))).code).to.equal('insufficient_scope');
    const elsewhere = { ...store.principal, projectId: newId('prj') };
    expect((await refusalOf(readAnalytics(elsewhere, asked))).code).to.equal('not_found');
  });

  it('filters by what it prints of links and tags that were deleted since', async () => {
    const at = (hour: number) => `2025-06-0${hour}T10:00:00.000Z`;
    const [link, tag, other] = [newId('lnk'), newId('tag'), newId('tag')];
    await store.click(at(1), { linkId: link, tagIds: [tag, other] });
    await store.click(at(2), { linkId: link, trafficClass: 'bot' });
    await store.click(at(3), { tagIds: [tag] });
    const june = { start: new Date('2025-06-01T00:00:00Z'), end: new Date('2025-06-09T00:00:00Z') };
    const printed = async (groupBy: 'link' | 'tag') =>
      (await store.ask({ ...june, groupBy })).data.map(({ key }) => key);
    expect(await printed('link')).to.have.members([link, store.links[0]]);
    expect(await printed('tag')).to.have.members([tag, other]);
    const counted = async (filter: Asked) => (await store.ask({ ...june, ...filter })).total.count;
    expect(await counted({ link })).to.equal(1);
    expect(await counted({ link: `-${link}` })).to.equal(1);
    expect(await counted({ link: `${link},ext_e0`, traffic: 'all' })).to.equal(3);
    expect([await counted({ tag }), await counted({ tag: other }), await counted({ tag: `-${other}` })]).to.deep.equal([
      2, 1, 1,
    ]);
    // In a range without such clicks the filter is as good: the dashboard keeps it while ranges change.
    expect((await store.ask({ link, interval: '1h' })).total.count).to.equal(0);
    for (const unknown of [{ tag: newId('tag') }, { link: `${link},${newId('lnk')}` }, { link, tag: link }])
      expect((await refusalOf(store.ask(unknown))).code).to.equal('validation_failed');
  });
});

async function refusalOf(answer: Promise<unknown>): Promise<CodedError> {
  const error = await answer.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CodedError) return error;
  throw new Error(`Not refused: ${error}`);
}
