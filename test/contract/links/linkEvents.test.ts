// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { Event } from '../../../src/models/Event.ts';
import { Link } from '../../../src/models/Link.ts';
import { expectError } from '../../support/expectError.ts';
import { firstTenant, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';

describe('events of links', () => {
  const world = useWorld();
  let mine: Tenant;

  before(async () => {
    mine = await firstTenant(world);
  });

  const eventsOf = async (linkId: string) => {
    const events = await Event.findAll({ where: { linkId }, order: [['id', 'ASC']] });
    return events.sort((a, b) => Number(a.createdAt) - Number(b.createdAt));
  };

  const create = async (body: object = {}) =>
    (await mine.api('POST', '/links', { destination: DESTINATION, ...body })).body;

  /** The events that `act` causes for a new link, beyond its creation. */
  const eventsAfter = async (body: object, act: (path: string, id: string) => Promise<unknown>) => {
    const { id } = await create(body);
    await act(`/links/${id}`, id);
    const [created, ...others] = await eventsOf(id);
    expect(created?.type).to.equal('link.created');
    return others;
  };

  const patching = (before: object, body: object) =>
    eventsAfter(before, async (path) => {
      expect((await mine.api('PATCH', path, body)).status).to.equal(200);
    });

  it('link.created holds the link as it is shown', async () => {
    const link = await create({ tags: ['a'], utm: { source: 'x' }, preview: { title: 'T' }, data: { a: 1 } });
    const [event, ...others] = await eventsOf(link.id);
    expect(others).to.deep.equal([]);
    expect(event).to.include({ type: 'link.created', teamId: mine.teamId, projectId: mine.projectId, webhookId: null });
    expect(event?.data).to.deep.equal({ link });
    expect(event?.tagIds).to.have.length(1);
  });

  it('a refused creation tells nothing', async () => {
    const count = await Event.count();
    await create({ slug: 'told-once' });
    expectError(await mine.api('POST', '/links', { destination: DESTINATION, slug: 'told-once' }), 409, 'slug_taken');
    expect(await Event.count()).to.equal(count + 1);
  });

  const CHANGES: Record<string, [from: unknown, to: unknown]> = {
    destination: [DESTINATION, 'https://www.example.com/b'],
    routing: [null, { forward_query: false }],
    data: [{}, { a: 1 }],
    tags: [[], ['a', 'b']],
    starts_at: [null, '2020-01-01T00:00:00.000Z'],
    expires_at: [null, '2090-01-01T00:00:00.000Z'],
    expired_destination: [null, 'https://www.example.com/late'],
    click_limit: [null, 5],
    match_window_seconds: [null, 60],
    utm: [null, { source: 'a', medium: null, campaign: null, term: null, content: null }],
    preview: [null, { title: 'T', description: null, image_url: null }],
  };

  for (const [field, [from, to]] of Object.entries(CHANGES)) {
    it(`link.updated tells of ${field}, from and to`, async () => {
      const [event, ...others] = await patching({}, { [field]: to });
      expect(others).to.deep.equal([]);
      expect(event?.type).to.equal('link.updated');
      expect(event?.data.changes).to.deep.equal({ [field]: { from, to } });
      expect(event?.data.link).to.deep.include({ [field]: to });
    });
  }

  it('link.updated tells of a new slug with the short URL that follows from it', async () => {
    const [event] = await patching({ slug: 'old-one' }, { slug: 'new-one' });
    const changes = event?.data.changes as Record<string, { from: string; to: string }>;
    expect(changes).to.have.all.keys('slug', 'short_url');
    expect(changes.slug).to.deep.equal({ from: 'old-one', to: 'new-one' });
  });

  it('link.updated also names title, notes and external id beside a field that counts', async () => {
    const [event] = await patching({}, { title: 'T', click_limit: 1 });
    expect(event?.data.changes).to.have.all.keys('title', 'click_limit');
  });

  it('link.updated reaches those who watch a tag before or after', async () => {
    const [event] = await patching({ tags: ['before', 'kept'] }, { tags: ['kept', 'after'] });
    expect(event?.tagIds).to.have.length(3);
  });

  it('tells nothing when nothing changed, or title, notes and external id alone', async () => {
    const full = { title: 'T', tags: ['a'], data: { a: 1, b: 2 }, starts_at: '2020-01-01T00:00:00Z', click_limit: 3 };
    expect(await patching(full, { ...full, destination: DESTINATION, data: { b: 2, a: 1 } })).to.deep.equal([]);
    expect(await patching(full, {})).to.deep.equal([]);
    expect(
      await patching({}, { title: 'x', notes: 'y', external_id: 'told-nobody', managed_by: 'code:x' }),
    ).to.deep.equal([]);
  });

  it('tells nothing of a status that follows from time', async () => {
    const events = await eventsAfter({}, async (path, id) => {
      const where = { where: { id } };
      await inTransaction((transaction) =>
        Link.update({ expiresAt: new Date('2020-01-01') }, { ...where, silent: true, transaction }),
      );
      await mine.api('PATCH', path, { title: 'Later' });
    });
    expect(events).to.deep.equal([]);
  });

  it('link.archived comes beside link.updated, once however often it is asked for', async () => {
    const events = await eventsAfter({}, async (path) => {
      for (let time = 0; time < 2; time += 1) await mine.api('POST', `${path}/archive`);
      await mine.api('PATCH', path, { archived: true });
    });
    expect(events.map(({ type }) => type).sort()).to.deep.equal(['link.archived', 'link.updated']);
    const [archived, updated] = events.sort((a, b) => a.type.localeCompare(b.type));
    expect(archived?.data).to.have.all.keys('link');
    expect(archived?.data.link).to.include({ status: 'archived' });
    expect(updated?.data.changes).to.have.all.keys('status', 'archived_at');
  });

  it('restoring is link.updated alone', async () => {
    const events = await eventsAfter({}, async (path) => {
      await mine.api('POST', `${path}/archive`);
      for (let time = 0; time < 2; time += 1) await mine.api('POST', `${path}/unarchive`);
    });
    expect(events.map(({ type }) => type).sort()).to.deep.equal(['link.archived', 'link.updated', 'link.updated']);
  });

  it('link.deleted holds the link as it was, once', async () => {
    const link = await create({ tags: ['a'] });
    for (let time = 0; time < 2; time += 1) await mine.api('DELETE', `/links/${link.id}`);
    const events = (await eventsOf(link.id)).filter(({ type }) => type === 'link.deleted');
    expect(events).to.have.length(1);
    expect(events[0]?.data).to.deep.equal({ link });
    expect(events[0]?.tagIds).to.have.length(1);
  });
});
