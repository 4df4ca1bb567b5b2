// stores: each
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Link } from '../../../src/models/Link.ts';
import type { Api } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/page?a=1#part';

/** Every field that can be cleared, with a value, how it is shown, and what it is when cleared. */
const CLEARABLE: Record<string, { value: unknown; shown?: unknown; cleared?: unknown }> = {
  routing: {
    value: { rules: [{ when: { platform: ['ios'] }, destination: 'https://m.example.com/' }], forward_query: false },
  },
  data: { value: { screen: 'sale', list: [1, { deep: null }] }, cleared: {} },
  tags: { value: ['summer', 'Autumn'], shown: ['Autumn', 'summer'], cleared: [] },
  external_id: { value: 'order/42 ä' },
  managed_by: { value: 'code:marketing' },
  title: { value: 'A title' },
  notes: { value: 'Two\nlines' },
  utm: {
    value: { source: 'news', campaign: 'spring' },
    shown: { source: 'news', medium: null, campaign: 'spring', term: null, content: null },
  },
  preview: {
    value: { title: 'T', image_url: 'https://www.example.com/i.png' },
    shown: { title: 'T', description: null, image_url: 'https://www.example.com/i.png' },
  },
  starts_at: { value: '2020-01-01T02:00:00+02:00', shown: '2020-01-01T00:00:00.000Z' },
  expires_at: { value: '2090-12-31T23:59:59.5Z', shown: '2090-12-31T23:59:59.500Z' },
  expired_destination: { value: 'https://www.example.com/late' },
  click_limit: { value: 10 },
  match_window_seconds: { value: 86_400 },
};

const fieldsOf = (part: 'value' | 'shown' | 'cleared') =>
  Object.fromEntries(
    Object.entries(CLEARABLE).map(([name, { value, shown = value, cleared = null }]) => [
      name,
      { value, shown, cleared }[part],
    ]),
  );

describe('links', () => {
  const world = useWorld();
  let mine: Tenant;
  let api: Api;

  before(async () => {
    mine = await firstTenant(world);
    api = mine.api;
  });

  const create = async (body: object = {}) => {
    const reply = await api('POST', '/links', { destination: DESTINATION, ...body });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body;
  };
  const host = () => new URL(world.origin).port;

  describe('creation', () => {
    it('gives every field, with its default', async () => {
      const { id, slug, domain, short_url, created_at, updated_at, ...others } = await create();
      expect(id).to.match(/^lnk_[0-9a-hjkmnp-tv-z]{26}$/);
      expect(slug).to.match(/^[2-9A-HJ-NP-Za-km-z]{7}$/);
      expect(domain).to.equal(`localhost:${host()}`);
      expect(short_url).to.equal(`http://${domain}/${slug}`);
      expect(created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(updated_at).to.equal(created_at);
      expect(others).to.deep.equal({
        project_id: mine.projectId,
        destination: DESTINATION,
        ...fieldsOf('cleared'),
        status: 'active',
        password_protected: false,
        clicks: 0,
        last_clicked_at: null,
        flag_reason: null,
        flagged_at: null,
        archived_at: null,
      });
    });

    it('keeps every field that is sent, and null is as if it was not sent', async () => {
      const full = await create({ ...fieldsOf('value'), external_id: 'full', slug: 'Full_of.it~/and-more' });
      expect(full).to.deep.include({ ...fieldsOf('shown'), external_id: 'full', slug: 'Full_of.it~/and-more' });
      expect((await api('GET', `/links/${full.id}`)).body).to.deep.equal(full);
      const empty = Object.fromEntries(Object.keys(CLEARABLE).map((name) => [name, null]));
      expect(await create(empty)).to.deep.include(fieldsOf('cleared'));
    });

    it('refuses a slug that is used, also when two ask at once', async () => {
      await create({ slug: 'used' });
      const again = await api('POST', '/links', { destination: DESTINATION, slug: 'used' });
      expectError(again, 409, 'slug_taken');
      expect(again.body.error.message).to.include('"used"').and.include('localhost');
      await create({ slug: 'USED' });
      const attempts = Array.from({ length: 6 }, () =>
        api('POST', '/links', { destination: DESTINATION, slug: 'race' }),
      );
      const statuses = (await Promise.all(attempts)).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([201, 409, 409, 409, 409, 409]);
    });

    it('refuses an external id that is used in the project, not one of another project', async () => {
      await create({ external_id: 'once' });
      const again = await api('POST', '/links', { destination: DESTINATION, external_id: 'once' });
      expectError(again, 409, 'conflict');
      const other = await makeTenant(world, mine.teamId);
      expect((await other.api('POST', '/links', { destination: DESTINATION, external_id: 'once' })).status).to.equal(
        201,
      );
    });

    it('does not leave a tag behind when it is refused', async () => {
      await create({ slug: 'kept' });
      await api('POST', '/links', { destination: DESTINATION, slug: 'kept', tags: ['left behind'] });
      expect((await create({ tags: ['LEFT BEHIND'] })).tags).to.deep.equal(['LEFT BEHIND']);
    });

    it('makes tags by name, without regard to case', async () => {
      expect((await create({ tags: ['Daily', 'Über', 'DAILY'] })).tags).to.deep.equal(['Daily', 'Über']);
      expect((await create({ tags: ['DAILY', 'daily', 'über'] })).tags).to.deep.equal(['Daily', 'Über']);
      const links = await Promise.all(['Same', 'SAME', 'same'].map((tag) => create({ tags: [tag] })));
      expect(new Set(links.map(({ tags }) => tags[0])).size).to.equal(1);
      const names = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
      const crossed = [names, names.toReversed()].flatMap((tags) =>
        [tags, tags, tags].map((each) => create({ tags: each })),
      );
      for (const { tags } of await Promise.all(crossed)) expect(tags).to.have.members(names);
    });

    it('lists every bad field at once, those that only the project knows among them', async () => {
      const reply = await api('POST', '/links', {
        destination: 'unregistered://x',
        slug: 'a//b',
        domain: 'not.ours.example.com',
        title: 1,
        click_limit: 0,
        match_window_seconds: 59,
        starts_at: '2030-01-01T00:00:00Z',
        expires_at: '2029-01-01T00:00:00Z',
        utm: { source: 1, other: 'x' },
        preview: { image_url: 'ftp://x' },
        routing: {
          split: [{ destination: 'https://a.example.com', weight: 0 }],
          ios: { fallback: 'https://u:p@x.com' },
        },
        tags: ['ok', ''],
        more: 1,
      });
      const nested = ['utm.source', 'utm.other', 'preview.image_url', 'tags.1'];
      const routing = ['routing.split', 'routing.split.0.weight', 'routing.ios.fallback'];
      const plain = ['destination', 'slug', 'domain', 'title', 'click_limit', 'match_window_seconds', 'expires_at'];
      expectInvalid(reply, ...plain, ...nested, ...routing, 'more');
    });
  });

  describe('PATCH', () => {
    it('replaces each field that is sent whole, and null clears it', async () => {
      const { id, ...before } = await create(fieldsOf('value'));
      for (const [name, { cleared = null }] of Object.entries(CLEARABLE)) {
        const { status, body } = await api('PATCH', `/links/${id}`, { [name]: null });
        expect(status).to.equal(200);
        expect(body, name).to.deep.include({ [name]: cleared });
      }
      const restored = await api('PATCH', `/links/${id}`, fieldsOf('value'));
      expect({ ...restored.body, updated_at: null }).to.deep.equal({ id, ...before, updated_at: null });
      const { body } = await api('PATCH', `/links/${id}`, { data: { other: 1 }, utm: { term: 'x' }, tags: ['one'] });
      expect(body.data).to.deep.equal({ other: 1 });
      expect(body.utm).to.deep.equal({ source: null, medium: null, campaign: null, term: 'x', content: null });
      expect(body.tags).to.deep.equal(['one']);
      await api('PATCH', `/links/${id}`, { external_id: null });
    });

    it('changes nothing when nothing is new', async () => {
      const before = await create({ title: 'Same', data: { a: 1, b: 2 }, tags: ['same'] });
      for (const body of [{}, { title: 'Same', data: { b: 2, a: 1 }, tags: ['SAME'], archived: false }]) {
        expect((await api('PATCH', `/links/${before.id}`, body)).body).to.deep.equal(before);
      }
    });

    it('moves the link to another slug and frees the old one', async () => {
      const { id } = await create({ slug: 'from' });
      const moved = await api('PATCH', `/links/${id}`, { slug: 'to' });
      expect(moved.body.short_url).to.match(/\/to$/);
      await create({ slug: 'from' });
      expectError(await api('PATCH', `/links/${id}`, { slug: 'from' }), 409, 'slug_taken');
      await create({ external_id: 'theirs' });
      expectError(await api('PATCH', `/links/${id}`, { external_id: 'theirs' }), 409, 'conflict');
    });

    it('keeps both of two changes that come at once', async () => {
      const { id } = await create({ slug: 'at-once' });
      await Promise.all([
        api('PATCH', `/links/${id}`, { slug: 'moved-at-once' }),
        ...['a', 'b', 'c'].map((title) => api('PATCH', `/links/${id}`, { title })),
      ]);
      expect((await api('GET', `/links/${id}`)).body.slug).to.equal('moved-at-once');
    });

    it('refuses what cannot be cleared, and what follows from other things', async () => {
      const { id } = await create();
      const fixed = { destination: null, slug: null, domain: null, archived: null };
      expectInvalid(await api('PATCH', `/links/${id}`, fixed), ...Object.keys(fixed));
      const derived = { id, status: 'archived', clicks: 1, short_url: 'x', flagged_at: null, created_at: null };
      expectInvalid(await api('PATCH', `/links/${id}`, derived), ...Object.keys(derived));
    });

    it('compares times with those that the link has', async () => {
      const { id } = await create({ starts_at: '2030-01-01T00:00:00Z' });
      expectInvalid(await api('PATCH', `/links/${id}`, { expires_at: '2029-01-01T00:00:00Z' }), 'expires_at');
      expect(
        (await api('PATCH', `/links/${id}`, { expires_at: '2029-01-01T00:00:00Z', starts_at: null })).status,
      ).to.equal(200);
    });
  });

  it('is reached by ext_ and its external id wherever an id goes', async () => {
    const { id } = await create({ external_id: 'a/b c' });
    const path = '/links/ext_a%2Fb%20c';
    expect((await api('GET', path)).body.id).to.equal(id);
    expect((await api('PATCH', path, { title: 'By ext' })).body.title).to.equal('By ext');
    expect((await api('POST', `${path}/archive`)).body.status).to.equal('archived');
    expect((await api('POST', `${path}/unarchive`)).body.status).to.equal('active');
    expect((await api('GET', '/analytics?link=ext_a%2Fb%20c')).status).to.equal(200);
    const webhook = { url: 'http://127.0.0.1:9999/hook', scope: { link_id: 'ext_a/b c' } };
    expect((await api('POST', '/webhooks', webhook)).body.scope).to.deep.equal({ link_id: id });
    expect((await api('DELETE', path)).status).to.equal(204);
    expectError(await api('GET', path), 404, 'not_found');
  });

  it('is archived and restored, which is safe to repeat', async () => {
    const { id } = await create();
    const archived = await api('POST', `/links/${id}/archive`);
    expect(archived.body).to.include({ status: 'archived' });
    expect(archived.body.archived_at).to.be.a('string');
    expect((await api('POST', `/links/${id}/archive`, {})).body).to.deep.equal(archived.body);
    expect((await api('PATCH', `/links/${id}`, { archived: true })).body).to.deep.equal(archived.body);
    const restored = await api('POST', `/links/${id}/unarchive`);
    expect(restored.body).to.include({ status: 'active', archived_at: null });
    expect((await api('POST', `/links/${id}/unarchive`)).body).to.deep.equal(restored.body);
    expect((await api('PATCH', `/links/${id}`, { archived: true })).body.status).to.equal('archived');
  });

  it('has the first status that holds, and nothing but a review clears a flag', async () => {
    const expired = { starts_at: '2020-01-01T00:00:00Z', expires_at: '2020-01-02T00:00:00Z' };
    const { id } = await create(expired);
    const status = async (body: object) => (await api('PATCH', `/links/${id}`, body)).body.status;
    expect(await status({})).to.equal('expired');
    expect(await status({ expires_at: null, click_limit: 1 })).to.equal('active');
    const write = (values: object) =>
      inTransaction((transaction) => Link.update(values, { where: { id }, transaction }));
    await write({ clicks: 1 });
    expect(await status({})).to.equal('expired');
    expect(await status({ starts_at: '2090-01-01T00:00:00Z' })).to.equal('scheduled');
    expect(await status({ archived: true })).to.equal('archived');
    await write({ flaggedAt: new Date(), flagReason: 'phishing' });
    expect(await status({ title: 'Edited' })).to.equal('flagged');
    const restored = await api('POST', `/links/${id}/unarchive`);
    expect(restored.body).to.include({ status: 'flagged', flag_reason: 'phishing', archived_at: null });
  });

  it('is gone after DELETE, for good, and its slug is free', async () => {
    const { id } = await create({ slug: 'short-lived', tags: ['news'] });
    expect((await api('DELETE', `/links/${id}`)).status).to.equal(204);
    expectError(await api('DELETE', `/links/${id}`), 404, 'not_found');
    await create({ slug: 'short-lived' });
  });

  it('belongs to its project alone', async () => {
    const { id } = await create();
    const stranger = await makeTenant(world);
    const reply = await stranger.api('GET', `/links/${id}`);
    const unknown = await stranger.api('GET', `/links/${newId('lnk')}`);
    expect(reply.body.error.message).to.equal(unknown.body.error.message);
  });
});
