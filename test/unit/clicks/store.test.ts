// stores: each
import { expect } from 'chai';
import { foldBacklog, hasManyArrivals } from '../../../src/clicks/backlogStore.ts';
import type { Click } from '../../../src/clicks/click.ts';
import { storeClicks, writeClicks } from '../../../src/clicks/clickStore.ts';
import { clicksOf, foldLinkCounts } from '../../../src/clicks/linkCountStore.ts';
import { dialect } from '../../../src/db/connection/database.ts';
import { query, queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { makeClick, makeLink, makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const NOBODY = { listening: () => false };
const at = (time: string) => Date.parse(time);

describe('storing clicks', () => {
  let store: OpenStore;
  let projectId: string;
  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  beforeEach(async () => {
    projectId = (await makeProject()).id;
  });

  const click = (values: Partial<Click> = {}) => makeClick({ projectId, ...values });

  const rowOf = async ({ id }: Click) => {
    const rows = await query<Record<string, unknown>>('SELECT * FROM clicks WHERE id = :id', { id });
    return rows[0] as Record<string, unknown>;
  };
  /** JSON is text on SQLite. */
  const parsed = (json: unknown) => (typeof json === 'string' ? JSON.parse(json) : json);

  /** Quarter of an hour → clicks that no block holds. */
  const backlog = async () => {
    const rows = await query<{ quarter: number; clicks: number }>(
      'SELECT quarter, SUM(clicks) AS clicks FROM click_arrivals WHERE project_id = :projectId GROUP BY 1 ORDER BY 1',
      { projectId },
    );
    return rows.map(({ quarter, clicks }) => [quarter, Number(clicks)]);
  };
  const quarterOf = (time: string) => at(time) / 900_000;
  const NOON = quarterOf('2026-11-01T12:00:00.000Z');

  it('keeps what a click tells, and nothing of it is made up', async () => {
    const texts = { id: newId('clk'), domain: 'd', slug: 's', country: 'AT', region: '9', city: 'Wien' };
    const agent = { platform: 'android', device: 'tablet', browser: 'Firefox', language: 'de', rule: 'a' };
    const kept = click({
      ...texts,
      ...agent,
      linkId: 'lnk_1',
      trafficClass: 'bot',
      trafficReason: 'x',
      referrerHost: 't.co',
      destination: 'https://example.com/kept',
      utm: { source: 'news', medium: null },
      tagIds: ['tag_1', 'tag_2'],
      visitor: 'v',
      addressHash: 'h',
    });
    const bare = click({ country: null, browser: null, language: null, destination: null });
    expect(await storeClicks([kept, bare], NOBODY)).to.equal(2);
    const [first, second] = await Promise.all([rowOf(kept), rowOf(bare)]);
    const { occurred_at, utm, tag_ids, ...others } = first;
    expect(new Date(occurred_at as string).getTime()).to.equal(kept.occurredAt);
    expect([parsed(utm), parsed(tag_ids)]).to.deep.equal([kept.utm, kept.tagIds]);
    expect({ ...others, uncollected: Boolean(others.uncollected) }).to.deep.equal({
      ...texts,
      ...agent,
      project_id: projectId,
      link_id: 'lnk_1',
      traffic_class: 'bot',
      traffic_reason: 'x',
      referrer_host: 't.co',
      destination: 'https://example.com/kept',
      visitor: 'v',
      address_hash: 'h',
      uncollected: false,
    });
    expect(second).to.include({ country: null, browser: null, language: null, destination: null, utm: null });
  });

  it('counts nothing twice when a chunk is stored again, whole or in part', async () => {
    const clicks = [click(), click({ visitor: 'visitor-2' }), click({ country: 'AT' })];
    const link = await makeLink(projectId);
    for (const one of clicks) one.linkId = link.id;
    expect(await storeClicks(clicks.slice(0, 2), NOBODY)).to.equal(2);
    expect(await storeClicks(clicks, NOBODY)).to.equal(1);
    expect(await storeClicks(clicks, NOBODY)).to.equal(0);
    expect(await backlog()).to.deep.equal([[NOON, 3]]);
    await foldLinkCounts();
    await link.reload();
    expect(link.clicks).to.equal(3);
  });

  it('counts a click once that stands twice in a chunk', async () => {
    const twice = click();
    expect(await storeClicks([twice, { ...twice }], NOBODY)).to.equal(1);
    expect(await backlog()).to.deep.equal([[NOON, 1]]);
  });

  it('notes for each quarter of an hour what is to be counted', async () => {
    await storeClicks([click({ occurredAt: at('2026-11-01T23:44:59.999Z') })], NOBODY);
    await storeClicks([click({ occurredAt: at('2026-11-01T23:45:00.000Z') })], NOBODY);
    await storeClicks([click({ occurredAt: at('2026-11-01T23:59:59.999Z') })], NOBODY);
    await storeClicks([click({ occurredAt: at('2026-11-02T00:00:00.000Z') })], NOBODY);
    const midnight = quarterOf('2026-11-02T00:00:00.000Z');
    expect(await backlog()).to.deep.equal([
      [midnight - 2, 1],
      [midnight - 1, 2],
      [midnight, 1],
    ]);
  });

  it('refuses a time that no store can hold, and keeps nothing of its chunk', async () => {
    const refusal = await storeClicks([click(), click({ occurredAt: 9e15 })], NOBODY).catch((error) => error);
    expect(refusal).to.be.instanceOf(RangeError);
    expect(await backlog()).to.deep.equal([]);
  });

  it('counts people on the link, with the latest moment, and leaves updated_at alone', async () => {
    const link = await makeLink(projectId);
    const other = await makeLink(projectId);
    const before = link.updatedAt.getTime();
    const latest = at('2026-11-01T14:00:00.000Z');
    await storeClicks([click({ linkId: link.id, occurredAt: latest }), click({ linkId: link.id })], NOBODY);
    await storeClicks([click({ linkId: link.id }), click({ linkId: link.id, trafficClass: 'bot' })], NOBODY);
    await foldLinkCounts();
    await Promise.all([link.reload(), other.reload()]);
    expect(link.clicks).to.equal(3);
    expect(link.lastClickedAt?.getTime()).to.equal(latest);
    expect(link.updatedAt.getTime()).to.equal(before);
    expect(other.clicks).to.equal(0);
    expect(other.lastClickedAt).to.equal(null);
  });

  it('keeps the counts of a flood apart until they are added to the links, once', async () => {
    const link = await makeLink(projectId);
    const flood = Array.from({ length: 1000 }, () => click({ linkId: link.id }));
    await storeClicks(flood, NOBODY);
    await storeClicks(flood, NOBODY);
    await storeClicks([click({ linkId: link.id })], NOBODY);
    expect(await clicksOf(link.id)).to.equal(1001);
    await Promise.all([foldLinkCounts(), foldLinkCounts()]);
    await link.reload();
    expect(link.clicks).to.equal(1001);
    expect(await clicksOf(link.id)).to.equal(1001);
  });

  it('marks for collection what somebody waits for, but no prefetch', async () => {
    const deaf = (await makeProject()).id;
    const clicks = [
      click(),
      click({ trafficClass: 'prefetch' }),
      click({ trafficClass: 'scanner' }),
      makeClick({ projectId: deaf }),
    ];
    await storeClicks(clicks, { listening: (id) => id === projectId });
    const rows = await query<{ id: string }>('SELECT id FROM clicks WHERE uncollected = :yes ORDER BY id', {
      yes: true,
    });
    expect(rows.map(({ id }) => id)).to.deep.equal([clicks[0]?.id, clicks[2]?.id]);
  });

  it('keeps everything when several writers store the same at once', async () => {
    const chunks = Array.from({ length: 6 }, () => Array.from({ length: 40 }, () => click()));
    const again = chunks.map((chunk) => chunk.slice(0, 20));
    await Promise.all([...chunks, ...again].map((chunk) => storeClicks(chunk, NOBODY)));
    expect(await backlog()).to.deep.equal([[NOON, 240]]);
  });

  it('does not wait for another process that stores clicks on the same link', async function () {
    if (dialect() === 'sqlite') this.skip();
    const link = await makeLink(projectId);
    const [theirs, own] = [click({ linkId: link.id }), click({ linkId: link.id })];
    await inTransaction(async (transaction) => {
      await writeClicks([theirs], () => false, transaction, { isDrained: true });
      expect(await storeClicks([own], NOBODY)).to.equal(1);
    });
    await foldLinkCounts();
    expect([await backlog(), await clicksOf(link.id)]).to.deep.equal([[[NOON, 2]], 2]);
  });

  it('leaves counts to the process that adds them to the links just now', async function () {
    if (dialect() === 'sqlite') this.skip();
    const link = await makeLink(projectId);
    await storeClicks([click({ linkId: link.id })], NOBODY);
    await queryRaw("INSERT INTO click_fold_turns (id) VALUES ('links') ON CONFLICT (id) DO NOTHING", []);
    await inTransaction(async (transaction) => {
      await queryRaw("SELECT id FROM click_fold_turns WHERE id = 'links' FOR UPDATE", [], transaction);
      await foldLinkCounts();
      expect((await link.reload()).clicks).to.equal(0);
    });
    await foldLinkCounts();
    expect((await link.reload()).clicks).to.equal(1);
  });

  it('makes one row of many in the backlog, whose sums stay', async () => {
    for (let at = 0; at < 60; at += 1) await storeClicks([click()], NOBODY);
    expect(await hasManyArrivals()).to.equal(true);
    await Promise.all([foldBacklog(), foldBacklog()]);
    expect(await hasManyArrivals()).to.equal(false);
    expect(await backlog()).to.deep.equal([[NOON, 60]]);
  });
});
