// stores: each
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { database, dialect } from '../../../src/db/connection/database.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { config } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Event } from '../../../src/models/Event.ts';
import { LinkTag } from '../../../src/models/LinkTag.ts';
import { Tag } from '../../../src/models/Tag.ts';
import { tagsByName } from '../../../src/tags/linkTagStore.ts';
import type { Api, Reply } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { walk } from '../../support/walk.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';

describe('tags', () => {
  const world = useWorld();
  let mine: Tenant;
  let api: Api;

  before(async () => {
    mine = await firstTenant(world);
  });
  beforeEach(async () => {
    mine = await makeTenant(world, mine.teamId);
    api = mine.api;
  });

  const create = async (body: object, caller = api) => {
    const reply = await caller('POST', '/tags', body);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body;
  };

  const linkWith = async (...tags: string[]) =>
    (await api('POST', '/links', { destination: DESTINATION, tags })).body.id as string;
  const tagsOf = async (id: string) => (await api('GET', `/links/${id}`)).body.tags;

  it('are made with a name and a color', async () => {
    const { id, created_at, updated_at, ...others } = await create({ name: 'Spring' });
    expect(id).to.match(/^tag_/);
    expect(updated_at).to.equal(created_at);
    expect(others).to.deep.equal({ project_id: mine.projectId, name: 'Spring', color: null, managed_by: null });
    expect(await create({ name: 'é 100 %', color: '#FF8800' })).to.include({ name: 'é 100 %', color: '#FF8800' });
    expect((await create({ name: 'c', color: 'blue' })).color).to.equal('blue');
    expect((await create({ name: 'd', color: null })).color).to.equal(null);
  });

  it('409 for a name that is taken, without regard to case; other projects have their own', async () => {
    await create({ name: 'Äpfel' });
    await linkWith('by link');
    for (const name of ['Äpfel', 'äPFEL', 'BY LINK'])
      expectError(await api('POST', '/tags', { name }), 409, 'conflict');
    const { id } = await create({ name: 'other' });
    expectError(await api('PATCH', `/tags/${id}`, { name: 'äpfel' }), 409, 'conflict');
    expect((await api('PATCH', `/tags/${id}`, { name: 'OTHER' })).body.name).to.equal('OTHER');
    const neighbours = await makeTenant(world, mine.teamId);
    await create({ name: 'Äpfel' }, neighbours.api);
    const twice = await Promise.all([1, 2].map(() => api('POST', '/tags', { name: 'at once' })));
    expect(twice.map(({ status }) => status)).to.have.members([201, 409]);
  });

  it('422 for names and colors that are none, all of them listed', async () => {
    const { id } = await create({ name: 'good' });
    for (const name of ['', ' x', 'x ', 'a|b', 'x'.repeat(101), 5, null]) {
      expectInvalid(await api('POST', '/tags', { name, color: 'nice' }), 'name', 'color');
      expectInvalid(await api('PATCH', `/tags/${id}`, { name }), 'name');
    }
    for (const color of ['#12345', '#1234567', '#gggggg', 'Blue', '', 5]) {
      expectInvalid(await api('POST', '/tags', { color, more: 1 }), 'name', 'color', 'more');
    }
  });

  it('are listed newest first, those that links made among them; none of others', async () => {
    const ids: string[] = [(await create({ name: 'a' })).id];
    await linkWith('b');
    ids.unshift((await Tag.findOne({ where: { projectId: mine.projectId, name: 'b' }, rejectOnEmpty: true })).id);
    ids.unshift((await create({ name: 'c', color: 'red' })).id);
    await create({ name: 'theirs' }, (await makeTenant(world)).api);
    const rows = await walk(api, '/tags', { limit: '1' }, () => create({ name: newId('tag') }));
    expect(rows.map(({ id }) => id)).to.deep.equal(ids);
    expect(rows[0]).to.deep.include({ name: 'c', color: 'red', project_id: mine.projectId });
    const { next_cursor } = (await api('GET', '/tags?limit=1')).body;
    expectError(await world.api('GET', `/tags?cursor=${next_cursor}`), 400, 'invalid_request');
    expectInvalid(await api('GET', '/tags?limit=101&sort=name'), 'limit', 'sort');
  });

  it('are changed field by field; links show the new name at once, and no event is sent for them', async () => {
    const link = await linkWith('old', 'other');
    const { id } = (await walk(api, '/tags')).find(({ name }) => name === 'old');
    expect((await api('PATCH', `/tags/${id}`, { color: 'green' })).body).to.include({ name: 'old', color: 'green' });
    expect((await api('PATCH', `/tags/${id}`, { name: 'New' })).body).to.include({ name: 'New', color: 'green' });
    expect(await tagsOf(link)).to.deep.equal(['New', 'other']);
    const ids = async (tag: string) =>
      (await api('GET', `/links?tag=${tag}`)).body.data.map((row: { id: string }) => row.id);
    expect([await ids('new'), await ids('old')]).to.deep.equal([[link], []]);
    await linkWith('NEW');
    expect((await walk(api, '/tags')).length).to.equal(2);
    expect((await api('PATCH', `/tags/${id}`, { color: null })).body.color).to.equal(null);
    expect(await Event.count({ where: { projectId: mine.projectId, type: 'link.updated' } })).to.equal(0);
  });

  it('are gone after DELETE, also from links; their names are free again', async () => {
    const link = await linkWith('gone', 'stays');
    const { id } = (await walk(api, '/tags')).find(({ name }) => name === 'gone');
    expect((await api('DELETE', `/tags/${id}`)).status).to.equal(204);
    expectError(await api('DELETE', `/tags/${id}`), 404, 'not_found');
    expectError(await api('PATCH', `/tags/${id}`, { name: 'x' }), 404, 'not_found');
    expect(await tagsOf(link)).to.deep.equal(['stays']);
    expect(await Event.count({ where: { projectId: mine.projectId, type: 'link.updated' } })).to.equal(0);
    expect((await create({ name: 'gone' })).id).to.not.equal(id);
    expect(await tagsOf(link)).to.deep.equal(['stays']);
  });

  it('are taken from more links than one transaction takes', async () => {
    const { id } = await create({ name: 'many' });
    const link = await linkWith();
    await inTransaction(async (transaction) => {
      const numbers =
        dialect() === 'postgres'
          ? 'SELECT n FROM generate_series(1, 10001) AS given(n)'
          : 'WITH RECURSIVE given(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM given WHERE n < 10001) SELECT n FROM given';
      await database().query(
        `INSERT INTO links (id, project_id, domain, slug, destination, data, clicks, created_at, updated_at)
         SELECT 'lnk_many' || n, project_id, domain, 'many-' || n, destination, data, 0, created_at, updated_at
         FROM links JOIN (${numbers}) AS numbers ON links.id = '${link}'`,
        { transaction },
      );
      await database().query(
        `INSERT INTO link_tags (link_id, tag_id) SELECT id, '${id}' FROM links WHERE id LIKE 'lnk_many%'`,
        { transaction },
      );
    });
    expect(await LinkTag.count({ where: { tagId: id } })).to.equal(10_001);
    expect((await api('DELETE', `/tags/${id}`)).status).to.equal(204);
    expect(await LinkTag.count({ where: { tagId: id } })).to.equal(0);
  });

  it('are deleted while a link gets them, and the link is made', async () => {
    const { id } = await create({ name: 'busy' });
    const link = await linkWith();
    let deletion: Promise<Reply> | undefined;
    await inTransaction(async (transaction) => {
      const [tag] = await tagsByName(mine.projectId, ['busy'], transaction);
      deletion = api('DELETE', `/tags/${id}`);
      await Promise.race([deletion, delay(500)]);
      await LinkTag.create({ linkId: link, tagId: tag?.id }, { transaction });
    });
    expect((await deletion)?.status).to.equal(204);
    expect(await tagsOf(link)).to.deep.equal([]);
  });

  it('409 for a tag whose events a webhook gets, until that has another scope', async () => {
    const { id } = await create({ name: 'watched' });
    const link = await linkWith('watched');
    const webhook = (await api('POST', '/webhooks', { url: 'http://127.0.0.1:9999/', scope: { tag_id: id } })).body.id;
    const refusal = await api('DELETE', `/tags/${id}`);
    expectError(refusal, 409, 'conflict');
    expect(refusal.body.error.message).to.include(webhook);
    expect(await tagsOf(link)).to.deep.equal(['watched']);
    await api('PATCH', `/webhooks/${webhook}`, { scope: null });
    expect((await api('DELETE', `/tags/${id}`)).status).to.equal(204);
  });

  it('404 for tags of others and of nothing', async () => {
    const theirs = (await create({ name: 'theirs' }, (await makeTenant(world, mine.teamId)).api)).id;
    for (const id of [theirs, newId('tag'), 'x']) {
      expectError(await api('PATCH', `/tags/${id}`, { name: 'mine' }), 404, 'not_found');
      expectError(await api('DELETE', `/tags/${id}`), 404, 'not_found');
    }
  });

  const rowsWith = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => ({
      destination: DESTINATION,
      external_id: `${from + at}`,
      tags: Array.from({ length: 20 }, (_each, nth) => `new ${from + at} ${nth}`),
    }));
  type Row = { status: string; error: { code: string; message: string; fields: { path: string }[] } | null };

  it('are made by a bulk call 200 at a time: rows that bring more are refused, and taken by the next call', async () => {
    for (const method of ['POST', 'PUT'] as const) {
      const from = method === 'POST' ? 0 : 1000;
      const { body } = await api(method, '/links/bulk', { links: [...rowsWith(12, from), ...rowsWith(1, from + 100)] });
      const refused = (body.results as Row[]).slice(10);
      expect(body.counts).to.include({ created: 10, failed: 3 });
      for (const { error } of refused) {
        expect(error).to.include({ code: 'validation_failed' });
        expect(error?.fields[0]?.path).to.equal('tags');
        expect(error?.message).to.match(/at most 200 new tags.*further call/);
      }
      const again = await api(method, '/links/bulk', { links: rowsWith(2, from + 10) });
      expect(again.body.counts).to.include({ created: 2, failed: 0 });
    }
  });

  it('are at most TAGS_PER_PROJECT in a project, on every way that makes tags', async () => {
    const before = config.tagsPerProject;
    Object.assign(config, { tagsPerProject: 3 });
    try {
      await create({ name: 'one' });
      const id = await linkWith('one', 'two');
      expectInvalid(await api('POST', '/links', { destination: DESTINATION, tags: ['three', 'four'] }), 'tags');
      expectInvalid(await api('PATCH', `/links/${id}`, { tags: ['three', 'four'] }), 'tags');
      expectInvalid(
        await api('PUT', '/links/external/x', { destination: DESTINATION, tags: ['three', 'four'] }),
        'tags',
      );
      expectInvalid(await api('PATCH', '/links/bulk', { ids: [id], set: { tags: ['three', 'four'] } }), 'tags');
      const links = [['one'], ['three'], ['four'], ['two', 'three']].map((tags) => ({
        destination: DESTINATION,
        tags,
      }));
      const { body } = await api('POST', '/links/bulk', { links });
      expect((body.results as Row[]).map(({ status }) => status)).to.deep.equal([
        'created',
        'created',
        'failed',
        'created',
      ]);
      expectInvalid(await api('POST', '/tags', { name: 'four' }), 'name');
      expect(await Tag.count({ where: { projectId: mine.projectId } })).to.equal(3);
    } finally {
      Object.assign(config, { tagsPerProject: before });
    }
  });
});
