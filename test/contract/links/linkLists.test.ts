// stores: each
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { Link } from '../../../src/models/Link.ts';
import type { Api } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { firstTenant, makeTenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';

describe('lists of links', () => {
  const world = useWorld();
  let teamId: string;

  before(async () => {
    teamId = (await firstTenant(world)).teamId;
  });

  /** A project of its own with these links; gives their ids in order of their making. */
  const project = async (...bodies: object[]) => {
    const { api } = await makeTenant(world, teamId);
    const ids: string[] = [];
    for (const body of bodies) ids.push((await api('POST', '/links', { destination: DESTINATION, ...body })).body.id);
    return { api, ids };
  };

  const set = (id: string | undefined, values: object) =>
    inTransaction((transaction) => Link.update(values, { where: { id }, silent: true, transaction }));

  const list = async (api: Api, query: Record<string, string> = {}) => {
    const reply = await api('GET', `/links?${new URLSearchParams(query)}`);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    return reply.body;
  };

  const titles = async (api: Api, query: Record<string, string>) =>
    (await list(api, query)).data.map(({ title }: { title: string }) => title);

  const walk = async (api: Api, query: Record<string, string>, between: () => Promise<unknown> = async () => {}) => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { data: { id: string }[]; next_cursor: string | null } = await list(api, {
        ...query,
        ...(cursor ? { cursor } : {}),
      });
      found.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
      if (cursor) await between();
    } while (cursor);
    return found;
  };

  it('gives the newest first, each as it is shown alone', async () => {
    const { api, ids } = await project({ title: 'a' }, { title: 'b', tags: ['x'] }, { title: 'c' });
    const page = await list(api);
    expect(page).to.have.all.keys('data', 'next_cursor');
    expect(page.next_cursor).to.equal(null);
    expect(page.data.map(({ id }: { id: string }) => id)).to.deep.equal([...ids].reverse());
    expect(page.data[1]).to.deep.equal((await api('GET', `/links/${ids[1]}`)).body);
    expect(await titles(api, { order: 'asc' })).to.deep.equal(['a', 'b', 'c']);
  });

  it('filters by each of its filters, and by several at once', async () => {
    const { api, ids } = await project(
      { title: 'Äpfel 100%', slug: 'list/one', tags: ['Fruit', 'red'], external_id: 'e:1?$1' },
      { title: 'pears', destination: 'https://shop.example.com/PEARS_1', tags: ['fruit'] },
      { title: 'late', starts_at: '2090-01-01T00:00:00Z' },
      { title: 'past', expires_at: '2020-01-01T00:00:00Z' },
      { title: 'used up', click_limit: 1 },
      { title: 'gone', expires_at: '2020-01-01T00:00:00Z' },
      { title: 'bad' },
    );
    await api('POST', `/links/${ids[5]}/archive`);
    await set(ids[4], { clicks: 1 });
    await set(ids[6], { flaggedAt: new Date(), archivedAt: new Date() });
    await set(ids[0], { createdAt: new Date('2026-01-01T00:00:00Z'), batchId: 'bat_1' });
    await set(ids[1], { createdAt: new Date('2026-01-02T00:00:00Z') });
    const { domain } = (await api('GET', `/links/${ids[0]}`)).body;
    const table: [Record<string, string>, string[]][] = [
      [{ status: 'active' }, ['pears', 'Äpfel 100%']],
      [{ status: 'scheduled' }, ['late']],
      [{ status: 'expired' }, ['used up', 'past']],
      [{ status: 'archived' }, ['gone']],
      [{ status: 'flagged' }, ['bad']],
      [{ tag: 'FRUIT' }, ['pears', 'Äpfel 100%']],
      [{ tag: 'red', status: 'active' }, ['Äpfel 100%']],
      [{ tag: 'blue' }, []],
      [{ search: 'Äpf' }, ['Äpfel 100%']],
      [{ search: 'PFEL' }, ['Äpfel 100%']],
      [{ search: '0%' }, ['Äpfel 100%']],
      [{ search: 'list/ONE' }, ['Äpfel 100%']],
      [{ search: 'pears_' }, ['pears']],
      [{ search: 'p_ars' }, []],
      [{ search: "' OR 1=1 --" }, []],
      [{ search: ':a ? $1 \\' }, []],
      [{ external_id: 'e:1?$1' }, ['Äpfel 100%']],
      [{ batch_id: 'bat_1' }, ['Äpfel 100%']],
      [{ domain: domain.toUpperCase(), tag: 'fruit' }, ['pears', 'Äpfel 100%']],
      [{ domain: 'elsewhere.example.com' }, []],
      [{ created_before: '2026-01-02T00:00:00Z' }, ['Äpfel 100%']],
      [{ created_after: '2026-01-02T00:00:00Z', created_before: '2026-01-03T00:00:00Z' }, ['pears']],
      [{ created_before: '2026-01-02T01:00:00.001+01:00' }, ['pears', 'Äpfel 100%']],
    ];
    for (const [query, expected] of table) {
      expect(await titles(api, query), JSON.stringify(query)).to.deep.equal(expected);
    }
  });

  it('sorts by clicks and last click, rows without one counting as the least', async () => {
    const { api, ids } = await project({ title: 'a' }, { title: 'b' }, { title: 'c' }, { title: 'd' });
    await set(ids[1], { clicks: 5, lastClickedAt: new Date('2026-01-02T00:00:00Z') });
    await set(ids[2], { clicks: 9, lastClickedAt: new Date('2026-01-01T00:00:00Z') });
    expect(await titles(api, { sort: 'clicks' })).to.deep.equal(['c', 'b', 'd', 'a']);
    expect(await titles(api, { sort: 'last_clicked_at' })).to.deep.equal(['b', 'c', 'd', 'a']);
    expect(await titles(api, { sort: 'last_clicked_at', order: 'asc' })).to.deep.equal(['a', 'd', 'c', 'b']);
    for (const sort of ['created_at', 'clicks', 'last_clicked_at']) {
      for (const order of ['asc', 'desc']) {
        const whole = await walk(api, { sort, order });
        expect(await walk(api, { sort, order, limit: '1' }), `${sort} ${order}`).to.deep.equal(whole);
        expect(whole).to.have.members(ids);
      }
    }
  });

  it('is walked once over every row that existed, while others come and go', async () => {
    const { api, ids } = await project(...Array.from({ length: 12 }, () => ({})));
    for (const order of ['asc', 'desc']) {
      const doomed = (await api('POST', '/links', { destination: DESTINATION })).body.id;
      const found = await walk(api, { limit: '3', order }, async () => {
        await api('POST', '/links', { destination: DESTINATION });
        await api('DELETE', `/links/${doomed}`);
      });
      expect(new Set(found).size).to.equal(found.length);
      expect(found).to.include.members(ids);
    }
  });

  it('keeps rows of one moment apart', async () => {
    const { api, ids } = await project(...Array.from({ length: 5 }, () => ({})));
    for (const id of ids) await set(id, { createdAt: new Date('2026-01-01T00:00:00Z') });
    expect(await walk(api, { limit: '2' }))
      .to.have.members(ids)
      .and.have.length(5);
  });

  it('takes a limit from 1 to 100', async () => {
    const { api } = await project(...Array.from({ length: 51 }, () => ({})));
    expect((await list(api)).data).to.have.length(50);
    expect((await list(api, { limit: '100' })).data).to.have.length(51);
    expect((await list(api, { limit: '1' })).data).to.have.length(1);
    for (const limit of ['0', '101', 'abc', '-1', '1.5', '', '1e9', 'null']) {
      expectInvalid(await api('GET', `/links?limit=${limit}`), 'limit');
    }
    expectInvalid(await api('GET', '/links?limit=1&limit=2'), 'limit');
  });

  it('400 for a cursor that is none, or belongs to another filter, sort, list or project', async () => {
    const { api } = await project({}, {}, {});
    const other = await project({}, {});
    const { next_cursor: cursor } = await list(api, { limit: '1' });
    const refused = async (caller: Api, path: string) => expectError(await caller('GET', path), 400, 'invalid_request');
    await refused(api, `/links?cursor=${cursor}&status=active`);
    await refused(api, `/links?cursor=${cursor}&order=asc`);
    await refused(api, `/links?cursor=${cursor}&sort=clicks`);
    await refused(other.api, `/links?cursor=${cursor}`);
    await refused(api, `/webhooks?cursor=${cursor}`);
    expect((await api('GET', `/links?cursor=${cursor}&limit=2`)).body.data).to.have.length(2);
    for (const bad of ['', 'x', '%F0%9F', 'W10', 'bnVsbA', 'x'.repeat(2000)])
      await refused(api, `/links?cursor=${bad}`);
    const [mark, time, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const forged = [
      [mark, 'no time', id],
      [mark, '+275760-09-13T00:00:00.000Z', id],
      [mark, time, 5],
      [mark, time, '\0'],
      [mark, 1e300, id],
      [mark, null, null],
      [mark, {}, id],
      [mark, time],
    ];
    for (const parts of forged) {
      await refused(api, `/links?cursor=${Buffer.from(JSON.stringify(parts)).toString('base64url')}`);
    }
  });

  it('lists every bad parameter', async () => {
    const { api } = await project();
    const query = {
      status: 'gone',
      sort: 'title',
      order: 'up',
      created_after: 'yesterday',
      created_before: '2026-02-30T00:00:00Z',
      domain: 'http://x/',
      search: '',
      tag: '',
      page: '2',
      limit: '0',
    };
    expectInvalid(await api('GET', `/links?${new URLSearchParams(query)}`), ...Object.keys(query));
  });
});
