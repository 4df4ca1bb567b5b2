// stores: each
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { Link } from '../../../src/models/Link.ts';
import type { Api } from '../../support/api.ts';
import { expectInvalid } from '../../support/expectError.ts';
import { firstTenant, makeTenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';

describe('GET /links/count', () => {
  const world = useWorld();
  let api: Api;
  let domain: string;
  let ids: string[];

  before(async () => {
    const { teamId } = await firstTenant(world);
    await (await makeTenant(world, teamId)).api('POST', '/links', { destination: DESTINATION, tags: ['red'] });
    ({ api } = await makeTenant(world, teamId));
    const bodies = [
      { title: 'one', tags: ['red', 'Blue'] },
      { title: 'two', tags: ['blue'] },
      { title: 'three', starts_at: '2090-01-01T00:00:00Z' },
      { title: 'four', expires_at: '2020-01-01T00:00:00Z', tags: ['blue'] },
      { title: 'five' },
    ];
    ids = [];
    for (const body of bodies) {
      const { body: link } = await api('POST', '/links', { destination: DESTINATION, ...body });
      ids.push(link.id);
      domain = link.domain;
    }
    await api('POST', `/links/${ids[4]}/archive`);
  });

  const count = async (query: Record<string, string>) => {
    const reply = await api('GET', `/links/count?${new URLSearchParams(query)}`);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    return reply.body;
  };

  it('counts the links of the project alone, archived ones too', async () => {
    expect(await count({})).to.deep.equal({ count: 5, data: null });
  });

  it('counts what the list gives, for every filter', async () => {
    const filters: Record<string, string>[] = [
      { status: 'active' },
      { status: 'scheduled' },
      { status: 'expired' },
      { status: 'archived' },
      { status: 'flagged' },
      { tag: 'BLUE' },
      { tag: 'red', status: 'active' },
      { tag: 'green' },
      { search: 'WWW.exam' },
      { search: 'f' },
      { search: 'fou' },
      { search: 'e', tag: 'blue' },
      { domain },
      { domain: 'elsewhere.example.com' },
      { external_id: 'none' },
      { batch_id: 'bat_1' },
      { created_after: '2020-01-01T00:00:00Z' },
      { created_before: '2020-01-01T00:00:00Z' },
      { created_after: '2020-01-01T00:00:00Z', status: 'active', domain },
    ];
    for (const filter of filters) {
      const { data } = (await api('GET', `/links?${new URLSearchParams(filter)}`)).body;
      expect((await count(filter)).count, JSON.stringify(filter)).to.equal(data.length);
    }
  });

  it('groups by status, tag and domain, most links first', async () => {
    expect(await count({ group_by: 'status' })).to.deep.equal({
      count: 5,
      data: [
        { key: 'active', count: 2 },
        { key: 'archived', count: 1 },
        { key: 'expired', count: 1 },
        { key: 'scheduled', count: 1 },
      ],
    });
    const { count: all, data } = await count({ group_by: 'tag' });
    expect(all).to.equal(5);
    // A name keeps the case that it was first written in.
    expect(
      data.map(({ key, count: links }: { key: string | null; count: number }) => [key?.toLowerCase(), links]),
    ).to.deep.equal([
      ['blue', 3],
      [undefined, 2],
      ['red', 1],
    ]);
    expect(await count({ group_by: 'domain' })).to.deep.equal({ count: 5, data: [{ key: domain, count: 5 }] });
  });

  it('groups what the filters leave', async () => {
    expect(await count({ group_by: 'status', tag: 'blue' })).to.deep.equal({
      count: 3,
      data: [
        { key: 'active', count: 2 },
        { key: 'expired', count: 1 },
      ],
    });
    expect(await count({ group_by: 'tag', tag: 'none' })).to.deep.equal({ count: 0, data: [] });
  });

  it('gives each status the one that the link shows', async () => {
    await inTransaction((transaction) =>
      Link.update({ flaggedAt: new Date() }, { where: { id: ids[4] }, silent: true, transaction }),
    );
    const { data } = await count({ group_by: 'status' });
    const shown = (await api('GET', '/links')).body.data.map(({ status }: { status: string }) => status);
    for (const { key, count: links } of data)
      expect(links).to.equal(shown.filter((status: string) => status === key).length);
    expect(data.map(({ key }: { key: string }) => key))
      .to.include('flagged')
      .and.not.include('archived');
  });

  it('refuses what it does not know', async () => {
    expectInvalid(await api('GET', '/links/count?group_by=slug&status=gone&limit=5'), 'group_by', 'limit', 'status');
  });
});
