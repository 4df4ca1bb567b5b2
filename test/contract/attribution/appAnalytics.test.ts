// stores: each
import { expect } from 'chai';
import type { Origin } from '../../../src/models/Install.ts';
import { type AppRow, plainRow, storeRows } from '../../support/appRows.ts';
import { firstTenant, makeTenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('analytics of apps', () => {
  const world = useWorld();
  let link: { id: string; slug: string; domain: string };
  const today = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS;
  /** The day before yesterday, as a whole. */
  const day = {
    start: new Date(today - 48 * HOUR_MS).toISOString(),
    end: new Date(today - 24 * HOUR_MS).toISOString(),
  };

  before(async () => {
    const first = await firstTenant(world);
    const other = await makeTenant(world, first.teamId);
    const tag = await world.api('POST', '/tags', { name: 'Spring' });
    const made = await world.api('POST', '/links', { destination: 'https://example.com/', tags: ['Spring'] });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    link = made.body;
    const origin: Origin = {
      referrerHost: 'news.example',
      destination: 'https://example.com/',
      rule: null,
      utm: { source: 'mail', medium: null, campaign: null, term: null, content: null },
      tagIds: [tag.body.id],
    };
    const row = (minutes: number, visitor: string, given: Partial<AppRow>) =>
      plainRow(first.projectId, today - 48 * HOUR_MS + minutes * MINUTE_MS, { visitor, ...given });
    const ofLink = { link: link.id, domain: link.domain, slug: link.slug, origin };
    await storeRows([
      row(0, 'a', { kind: 'install', appVersion: '1.0', method: 'referrer', ...ofLink }),
      row(1, 'a', { kind: 'open', appVersion: '1.0' }),
      row(2, 'b', { kind: 'reinstall', appVersion: '2.0' }),
      row(3, 'a', { name: 'purchase', thousandths: 100n, currency: 'EUR', ...ofLink }),
      row(4, 'a', { name: 'purchase', thousandths: 200n, currency: 'EUR', ...ofLink }),
      row(70, 'b', { name: 'purchase', thousandths: 5_000n, currency: 'CHF' }),
      row(71, 'b', { name: 'purchase', thousandths: 1_000n }),
      row(72, 'b', { name: 'level up', currency: 'USD' }),
      { ...row(5, 'c', { name: 'purchase', thousandths: 1_000n, currency: 'EUR' }), projectId: other.projectId },
    ]);
  });

  const ask = async (asked: Record<string, string>, range: Record<string, string> = day) => {
    const { status, body } = await world.api('GET', `/analytics?${new URLSearchParams({ ...range, ...asked })}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const figures = (count: number, unique: number, values: [string | null, number][] | null = null) => ({
    count,
    unique,
    values: values?.map(([currency, sum]) => ({ currency, sum })) ?? null,
  });

  it('counts installs, and every opening', async () => {
    expect((await ask({ event: 'install' })).total).to.deep.equal(figures(1, 1));
    expect((await ask({ event: 'open' })).total).to.deep.equal(figures(3, 2));
    expect((await ask({ event: 'open', group_by: 'app_version' })).data).to.deep.equal([
      { key: '1.0', ...figures(2, 1) },
      { key: '2.0', ...figures(1, 1) },
    ]);
  });

  it('counts openings by how they were traced back; clicks and events have no such thing', async () => {
    expect((await ask({ event: 'install', group_by: 'match_method' })).data).to.deep.equal([
      { key: 'referrer', ...figures(1, 1) },
    ]);
    expect((await ask({ event: 'open', group_by: 'match_method' })).data).to.deep.equal([
      { key: 'none', ...figures(2, 2) },
      { key: 'referrer', ...figures(1, 1) },
    ]);
    expect((await ask({ event: 'install', match_method: 'none' })).total).to.deep.equal(figures(0, 0));
    expect((await ask({ event: 'open', match_method: '-none' })).total).to.deep.equal(figures(1, 1));
    expect((await ask({ event: 'app_event', match_method: 'referrer' })).total.count).to.equal(0);
    expect((await ask({ event: 'click', match_method: 'referrer' })).total.count).to.equal(0);
  });

  it('sums values by currency, in all and in each row', async () => {
    const { total, data, others } = await ask({ event: 'app_event', group_by: 'event_name', limit: '1' });
    const sums: [string | null, number][] = [
      ['CHF', 5],
      ['EUR', 0.3],
      [null, 1],
    ];
    expect(total).to.deep.equal(figures(5, 2, sums));
    expect(data).to.deep.equal([{ key: 'purchase', ...figures(4, 2, sums) }]);
    expect(others).to.deep.equal(figures(1, 1, []));
  });

  it('sums them in each bucket of time', async () => {
    const range = { start: day.start, end: new Date(Date.parse(day.start) + 3 * HOUR_MS).toISOString() };
    const { data } = await ask({ event: 'app_event', group_by: 'time', granularity: 'hour' }, range);
    expect(data.map(({ values }: { values: unknown }) => values)).to.deep.equal([
      [{ currency: 'EUR', sum: 0.3 }],
      [
        { currency: 'CHF', sum: 5 },
        { currency: null, sum: 1 },
      ],
      [],
    ]);
  });

  it('knows the link that an app came by, its tags and its click', async () => {
    const asked = { event: 'app_event', link: link.id, tag: 'Spring', utm_source: 'mail', slug: link.slug };
    expect((await ask(asked)).total).to.deep.equal(figures(2, 1, [['EUR', 0.3]]));
    expect((await ask({ event: 'install', group_by: 'tag' })).data).to.deep.equal([
      { key: 'Spring', ...figures(1, 1) },
    ]);
    expect((await ask({ event: 'app_event', tag: '-Spring' })).total.count).to.equal(3);
    expect(
      (await ask({ event: 'open', group_by: 'referrer_host' })).data.map((row: { key: unknown }) => row.key),
    ).to.deep.equal([null, 'news.example']);
  });

  it('takes all of them for people', async () => {
    expect((await ask({ event: 'open', group_by: 'traffic_class' })).data).to.deep.equal([
      { key: 'human', ...figures(3, 2) },
    ]);
    expect((await ask({ event: 'app_event', traffic: 'bot' })).total).to.deep.equal(figures(0, 0, []));
  });

  it('begins `all` with the first of them', async () => {
    const { start, total } = await ask({ event: 'open', interval: 'all' }, {});
    expect(start).to.equal(day.start);
    expect(total.count).to.equal(3);
  });
});
