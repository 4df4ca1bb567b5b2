import { expect } from 'chai';
import type { Click } from '../../../src/clicks/click.ts';
import { storeClicks } from '../../../src/clicks/store.ts';
import { select } from '../../../src/db/database.ts';
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

  /** `dimension key class` → sum over the periods. */
  const sums = async (table: string, amount: string, where = '1 = 1') => {
    const rows = await select<{ cell: string; amount: number }>(
      `SELECT dimension || ' ' || key || ' ' || traffic_class AS cell, CAST(SUM(${amount}) AS BIGINT) AS amount
       FROM ${table} WHERE project_id = :projectId AND ${where} GROUP BY 1 HAVING SUM(${amount}) > 0`,
      { projectId },
    );
    return Object.fromEntries(rows.map((row) => [row.cell, row.amount]));
  };
  const visitors = (where?: string) => sums('click_days', 'visitors', where);

  it('keeps what a click tells, and nothing of it is made up', async () => {
    const kept = click({ utm: { source: 'news', medium: null }, referrerHost: 't.co', rule: 'a', trafficReason: 'x' });
    const bare = click({ country: null, browser: null, language: null, destination: null });
    expect(await storeClicks([kept, bare], NOBODY)).to.equal(2);
    const rows = await select<Record<string, unknown>>(
      'SELECT * FROM clicks WHERE project_id = :projectId ORDER BY id',
      {
        projectId,
      },
    );
    const [first, second] = rows as [Record<string, unknown>, Record<string, unknown>];
    expect(new Date(first.occurred_at as string).getTime()).to.equal(kept.occurredAt);
    expect(typeof first.utm === 'string' ? JSON.parse(first.utm) : first.utm).to.deep.equal(kept.utm);
    expect(first).to.include({
      id: kept.id,
      link_id: kept.linkId,
      referrer_host: 't.co',
      rule: 'a',
      visitor: 'visitor-1',
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
    expect(await sums('click_rollups', 'count')).to.include({ 'none  human': 3, 'country DE human': 2 });
    expect(await sums('click_days', 'clicks')).to.include({ 'none  human': 3, 'country AT human': 1 });
    expect(await visitors()).to.include({ 'none  human': 2, 'country DE human': 2, 'country AT human': 1 });
    await link.reload();
    expect(link.clicks).to.equal(3);
  });

  it('counts a click once that stands twice in a chunk', async () => {
    const twice = click();
    expect(await storeClicks([twice, { ...twice }], NOBODY)).to.equal(1);
    expect(await sums('click_rollups', 'count')).to.include({ 'none  human': 1 });
  });

  it('adds up chunks, by quarter of an hour and by UTC day', async () => {
    await storeClicks([click({ occurredAt: at('2026-11-01T23:44:59.999Z') })], NOBODY);
    await storeClicks([click({ occurredAt: at('2026-11-01T23:45:00.000Z') })], NOBODY);
    await storeClicks([click({ occurredAt: at('2026-11-01T23:59:59.999Z') })], NOBODY);
    await storeClicks([click({ occurredAt: at('2026-11-02T00:00:00.000Z') })], NOBODY);
    const periods = (table: string, period: string, amount: string) =>
      select(
        `SELECT ${period} AS period, ${amount} AS amount FROM ${table}
         WHERE project_id = :projectId AND dimension = 'none' ORDER BY 1`,
        { projectId },
      );
    const midnight = at('2026-11-02T00:00:00.000Z') / 900_000;
    expect(await periods('click_rollups', 'bucket', 'count')).to.deep.equal([
      { period: midnight - 2, amount: 1 },
      { period: midnight - 1, amount: 2 },
      { period: midnight, amount: 1 },
    ]);
    expect(await periods('click_days', 'day', 'clicks')).to.deep.equal([
      { period: midnight / 96 - 1, amount: 3 },
      { period: midnight / 96, amount: 1 },
    ]);
  });

  it('counts a visitor once for each UTC day, class and value of a dimension', async () => {
    const day2 = at('2026-11-02T08:00:00.000Z');
    await storeClicks([click(), click({ linkId: 'lnk_b' })], NOBODY);
    await storeClicks([click({ linkId: 'lnk_b' }), click({ linkId: 'lnk_c', referrerHost: 't.co' })], NOBODY);
    await storeClicks([click({ trafficClass: 'bot' }), click({ occurredAt: day2 }), click({ visitor: 'v2' })], NOBODY);
    const day = Math.floor(day2 / 86_400_000);
    expect(await visitors(`day < ${day}`)).to.include({
      'none  human': 2,
      'none  bot': 1,
      'link lnk_b human': 1,
      'link lnk_c human': 1,
      'referrer_host  human': 2,
      'referrer_host t.co human': 1,
      'platform ios human': 2,
    });
    expect(await visitors(`day = ${day}`)).to.include({ 'none  human': 1, 'country DE human': 1 });
  });

  it('notices when a visitor is seen with another country or browser on the same day', async () => {
    await storeClicks([click(), click({ country: 'FR' })], NOBODY);
    await storeClicks([click({ country: 'FR' }), click({ country: 'AT', browser: null })], NOBODY);
    expect(await visitors()).to.deep.include({
      'none  human': 1,
      'country DE human': 1,
      'country FR human': 1,
      'country AT human': 1,
      'browser Mobile Safari human': 1,
      'browser  human': 1,
      'device mobile human': 1,
    });
  });

  it('counts people on the link, with the latest moment, and leaves updated_at alone', async () => {
    const link = await makeLink(projectId);
    const other = await makeLink(projectId);
    const before = link.updatedAt.getTime();
    const latest = at('2026-11-01T14:00:00.000Z');
    await storeClicks([click({ linkId: link.id, occurredAt: latest }), click({ linkId: link.id })], NOBODY);
    await storeClicks([click({ linkId: link.id }), click({ linkId: link.id, trafficClass: 'bot' })], NOBODY);
    await Promise.all([link.reload(), other.reload()]);
    expect(link.clicks).to.equal(3);
    expect(link.lastClickedAt?.getTime()).to.equal(latest);
    expect(link.updatedAt.getTime()).to.equal(before);
    expect(other.clicks).to.equal(0);
    expect(other.lastClickedAt).to.equal(null);
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
    const rows = await select<{ id: string }>('SELECT id FROM clicks WHERE uncollected = :yes ORDER BY id', {
      yes: true,
    });
    expect(rows.map(({ id }) => id)).to.deep.equal([clicks[0]?.id, clicks[2]?.id]);
  });

  it('keeps visitors exact when several writers store at once', async () => {
    const people = Array.from({ length: 40 }, (_, n) => `visitor-${n}`);
    const chunks = Array.from({ length: 6 }, (_, round) =>
      people.map((visitor) => click({ visitor, country: ['DE', 'FR', 'AT'][round % 3] as string })),
    );
    await Promise.all(chunks.map((chunk) => storeClicks(chunk, NOBODY)));
    expect(await sums('click_rollups', 'count')).to.include({ 'none  human': 240 });
    expect(await visitors()).to.include({ 'none  human': 40, 'country DE human': 40, 'country AT human': 40 });
  });
});
