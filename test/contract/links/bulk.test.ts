// stores: each
import { expect } from 'chai';
import { Event } from '../../../src/models/Event.ts';
import { Link } from '../../../src/models/Link.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';

describe('bulk operations on links', () => {
  const world = useWorld();
  let mine: Tenant;

  before(async () => {
    mine = await firstTenant(world);
  });

  const create = async (links: object[]) => {
    const { status, body } = await mine.api('POST', '/links/bulk', { links });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const idsOf = (body: { results: { link: { id: string } }[] }) => body.results.map(({ link }) => link.id);
  const batchEvents = async (batchId: string) => {
    const events = await Event.findAll({ where: { type: 'links.imported' } });
    return events.filter(({ data }) => data.batch_id === batchId);
  };

  it('POST /links/bulk lands good rows although others fail, each with its reason', async () => {
    const taken = await mine.api('POST', '/links', { destination: DESTINATION, slug: 'taken', external_id: 'used' });
    const body = await create([
      {
        destination: DESTINATION,
        slug: 'bulk-a',
        tags: ['x', 'New', 'X'],
        data: { b: 1, aa: 2 },
        utm: { source: 's' },
      },
      { destination: 'nonsense', unheard_of: 1 },
      { destination: DESTINATION, slug: 'taken' },
      { destination: DESTINATION, external_id: 'used' },
      { destination: DESTINATION, slug: 'bulk-a' },
      { destination: DESTINATION, starts_at: '2030-01-01T00:00:00Z', expires_at: '2031-01-01T00:00:00+01:00' },
      { destination: 'otherapp://x' },
    ]);
    expect(body.counts).to.deep.equal({ created: 2, failed: 5 });
    expect(body.results.map((row: { index: number }) => row.index)).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    const codes = body.results.map(
      (row: { status: string; error: { code: string } | null }) => row.error?.code ?? row.status,
    );
    expect(codes).to.deep.equal([
      'created',
      'validation_failed',
      'slug_taken',
      'conflict',
      'slug_taken',
      'created',
      'validation_failed',
    ]);
    expect(body.results[1].error.fields.map(({ path }: { path: string }) => path)).to.have.members([
      'destination',
      'unheard_of',
    ]);
    const first = await mine.api('GET', `/links/${body.results[0].link.id}`);
    expect(first.body).to.deep.equal(body.results[0].link);
    expect(first.body.tags).to.deep.equal(['New', 'x']);
    expect(body.results[5].link).to.include({
      status: 'scheduled',
      starts_at: '2030-01-01T00:00:00.000Z',
      expires_at: '2030-12-31T23:00:00.000Z',
    });
    expect(taken.status).to.equal(201);
  });

  it('sends one links.imported for the batch and no link.created; the batch is listed', async () => {
    const body = await create([{ destination: DESTINATION }, { destination: DESTINATION }, { destination: '' }]);
    const [event, ...others] = await batchEvents(body.batch_id);
    expect(others).to.deep.equal([]);
    expect(event?.data).to.deep.equal({
      batch_id: body.batch_id,
      source: 'bulk',
      action: 'create',
      counts: { created: 2, failed: 1 },
      link_ids: [body.results[0].link.id, body.results[1].link.id],
      link_ids_truncated: false,
    });
    expect(await Event.count({ where: { linkId: body.results[0].link.id } })).to.equal(0);
    const listed = await mine.api('GET', `/links?batch_id=${body.batch_id}`);
    expect(listed.body.data).to.have.length(2);
    const none = await create([{ destination: '' }]);
    expect((await batchEvents(none.batch_id))[0]?.data.counts).to.deep.equal({ created: 0, failed: 1 });
  });

  it('follows a bulk link at once, also where the slug was unknown before', async () => {
    const follow = () => fetch(`${world.origin}/bulk-now`, { redirect: 'manual' });
    expect((await follow()).status).to.equal(404);
    await create([{ destination: DESTINATION, slug: 'bulk-now' }]);
    expect((await follow()).status).to.equal(302);
  });

  it('takes 1,000 links and refuses 1,001, none, and what is no list', async () => {
    const body = await create(
      Array.from({ length: 1000 }, (_, at) => ({ destination: `${DESTINATION}${at}`, tags: ['many'] })),
    );
    expect(body.counts).to.deep.equal({ created: 1000, failed: 0 });
    expect(new Set(idsOf(body)).size).to.equal(1000);
    const links = Array.from({ length: 1001 }, () => ({ destination: DESTINATION }));
    expectInvalid(await mine.api('POST', '/links/bulk', { links }), 'links');
    expectInvalid(await mine.api('POST', '/links/bulk', { links: [] }), 'links');
    expectInvalid(await mine.api('POST', '/links/bulk', { links: [1] }), 'links.0');
    const raw = JSON.stringify({ links: [{ destination: DESTINATION, notes: 'x'.repeat(10 * 1024 * 1024) }] });
    expectError(await mine.api('POST', '/links/bulk', undefined, { raw }), 413, 'payload_too_large');
  });

  it('PATCH /links/bulk makes one change to many, by id and external id', async () => {
    const body = await create([
      { destination: DESTINATION, external_id: 'p/1' },
      { destination: DESTINATION, tags: ['old'] },
    ]);
    const [first, second] = idsOf(body) as [string, string];
    const stranger = await (await makeTenant(world)).api('POST', '/links', { destination: DESTINATION });
    const ids = ['ext_p/1', second, stranger.body.id, 'nothing'];
    const reply = await mine.api('PATCH', '/links/bulk', { ids, set: { archived: true, tags: ['fresh'] } });
    expect(reply.body.counts).to.deep.equal({ updated: 2, failed: 2 });
    expect(reply.body.results.map((row: { status: string }) => row.status)).to.deep.equal([
      'updated',
      'updated',
      'failed',
      'failed',
    ]);
    expect(reply.body.results[2].error.code).to.equal('not_found');
    expect(reply.body.results[0].link).to.include({ id: first, status: 'archived' });
    expect((await mine.api('GET', `/links/${second}`)).body).to.deep.equal(reply.body.results[1].link);
    const types = (await Event.findAll({ where: { linkId: second } })).map(({ type }) => type);
    expect(types).to.have.members(['link.updated', 'link.archived']);
    expect((await batchEvents(reply.body.batch_id))[0]?.data).to.deep.include({
      action: 'update',
      counts: { updated: 2, failed: 2 },
      link_ids: [first, second],
    });
    expectInvalid(await mine.api('PATCH', '/links/bulk', { ids, set: { destination: 'nonsense' } }), 'set.destination');
  });

  it('PATCH /links/bulk gives a slug to the first alone', async () => {
    const ids = idsOf(await create([{ destination: DESTINATION }, { destination: DESTINATION }]));
    const reply = await mine.api('PATCH', '/links/bulk', { ids, set: { slug: 'only-one' } });
    expect(reply.body.counts).to.deep.equal({ updated: 1, failed: 1 });
    expect(reply.body.results[1].error.code).to.equal('slug_taken');
  });

  it('PATCH /links/bulk adds and removes tags of each link in one batch, and keeps its other tags', async () => {
    const ids = idsOf(
      await create([
        { destination: DESTINATION, tags: ['Kept', 'old'] },
        { destination: DESTINATION, tags: ['SALE', 'other'] },
        { destination: DESTINATION },
        { destination: DESTINATION, tags: Array.from({ length: 50 }, (_, index) => `full-${index}`) },
      ]),
    );
    const { status, body } = await mine.api('PATCH', '/links/bulk', {
      ids: [...ids, ids[2]],
      add_tags: ['Sale', 'sale'],
      remove_tags: ['OLD', 'nobody has it'],
      set: { title: 'Tagged' },
    });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.counts).to.deep.equal({ updated: 4, failed: 1 });
    expect(body.results.map(({ link }: { link: { tags: string[] } | null }) => link?.tags)).to.deep.equal([
      ['Kept', 'SALE'],
      ['other', 'SALE'],
      ['SALE'],
      undefined,
      ['SALE'],
    ]);
    expect(body.results[3].error.fields).to.deep.equal([
      { path: 'add_tags', message: 'The link would have more than 50 tags.' },
    ]);
    expect((await batchEvents(body.batch_id)).map(({ data }) => data.counts)).to.deep.equal([
      { updated: 4, failed: 1 },
    ]);
    const updates = await Event.findAll({ where: { type: 'link.updated', linkId: ids } });
    expect(updates.map(({ linkId }) => linkId)).to.have.members([ids[0], ids[2]]);
  });

  it('PATCH /links/bulk keeps the tags that somebody else adds at the same time', async () => {
    const ids = idsOf(await create([{ destination: DESTINATION }, { destination: DESTINATION }]));
    const names = ['one', 'two', 'three', 'four'];
    await Promise.all(names.map((name) => mine.api('PATCH', '/links/bulk', { ids, add_tags: [name] })));
    for (const id of ids) expect((await mine.api('GET', `/links/${id}`)).body.tags).to.have.members(names);
  });

  it('PATCH /links/bulk refuses no change at all, and tags in two ways', async () => {
    const ids = ['lnk_any'];
    for (const [change, path] of [
      [{}, 'set'],
      [{ set: { tags: ['a'] }, add_tags: ['b'] }, 'add_tags'],
      [{ set: { tags: null }, remove_tags: ['b'] }, 'remove_tags'],
      [{ add_tags: ['A'], remove_tags: ['a'] }, 'remove_tags'],
      [{ add_tags: [] }, 'add_tags'],
      [{ remove_tags: [''] }, 'remove_tags.0'],
    ] as const)
      expectInvalid(await mine.api('PATCH', '/links/bulk', { ids, ...change }), path);
  });

  it('POST /links/bulk/delete frees slugs; an id that is twice in the list fails the second time', async () => {
    const made = await create([{ destination: DESTINATION, slug: 'gone', tags: ['t'] }]);
    const [id] = idsOf(made) as [string];
    const reply = await mine.api('POST', '/links/bulk/delete', { ids: [id, id] });
    expect(reply.body.counts).to.deep.equal({ deleted: 1, failed: 1 });
    expect(reply.body.results[0].link).to.deep.equal(made.results[0].link);
    expect(reply.body.results[1].error.code).to.equal('not_found');
    expect(await Link.findByPk(id)).to.equal(null);
    expect((await Event.findAll({ where: { linkId: id } })).map(({ type }) => type)).to.deep.equal(['link.deleted']);
    expect((await create([{ destination: DESTINATION, slug: 'gone' }])).counts.created).to.equal(1);
  });

  describe('PUT /links/external/{external_id}', () => {
    it('creates with 201, then changes with 200 and keeps what is not sent', async () => {
      const path = '/links/external/order%2F7';
      const made = await mine.api('PUT', path, { destination: DESTINATION, title: 'One', tags: ['a'] });
      expect(made.status).to.equal(201);
      expect(made.body).to.include({ external_id: 'order/7', title: 'One' });
      const changed = await mine.api('PUT', path, { destination: 'https://www.example.com/2' });
      expect(changed.status).to.equal(200);
      expect(changed.body).to.include({ id: made.body.id, title: 'One', destination: 'https://www.example.com/2' });
      expect((await mine.api('PUT', path, {})).status).to.equal(200);
    });

    it('422 without a destination for a new one, and for an id that is too long', async () => {
      expectInvalid(await mine.api('PUT', '/links/external/fresh', { title: 'x' }), 'destination');
      expectInvalid(
        await mine.api('PUT', `/links/external/${'x'.repeat(201)}`, { destination: DESTINATION }),
        'external_id',
      );
      expectInvalid(
        await mine.api('PUT', '/links/external/fresh', { destination: DESTINATION, external_id: 'y' }),
        'external_id',
      );
    });

    it('twenty at once make one link', async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => mine.api('PUT', '/links/external/race', { destination: DESTINATION })),
      );
      expect(replies.map(({ status }) => status).sort()).to.deep.equal([...Array(19).fill(200), 201]);
      expect(new Set(replies.map(({ body }) => body.id)).size).to.equal(1);
    });
  });
});
