// stores: any
import { expect } from 'chai';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
const URL_TAKEN = 'http://127.0.0.1:9999/hook';
const STACK = 'code:marketing';

/** What can be managed: its path, and a body that makes the nth one. */
const RESOURCES = {
  links: (n: number) => ({ destination: `${DESTINATION}${n}` }),
  tags: (n: number) => ({ name: `tag-${n}` }),
  domains: (n: number) => ({ hostname: `go${n}.example.com` }),
  webhooks: (n: number) => ({ url: `${URL_TAKEN}${n}` }),
} as const;

describe('what manages a row', () => {
  const world = useWorld();
  let mine: Tenant;

  beforeEach(async () => {
    mine = await makeTenant(world, (await firstTenant(world)).teamId);
  });

  const create = async (path: string, body: object) => {
    const reply = await mine.api('POST', `/${path}`, body);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body;
  };
  const idsOf = async (path: string) =>
    (await mine.api('GET', path)).body.data.map(({ id }: { id: string }) => id) as string[];

  for (const [path, bodyOf] of Object.entries(RESOURCES)) {
    it(`is set, changed, cleared and filtered of ${path}`, async () => {
      const plain = await create(path, bodyOf(1));
      expect(plain.managed_by).to.equal(null);
      const owned = await create(path, { ...bodyOf(2), managed_by: STACK });
      const other = await create(path, { ...bodyOf(3), managed_by: 'code:sales' });
      expect(owned.managed_by).to.equal(STACK);
      expect(await idsOf(`/${path}?managed_by=${STACK}`)).to.deep.equal([owned.id]);
      expect(await idsOf(`/${path}?managed_by=code:nobody`)).to.deep.equal([]);
      expect(await idsOf(`/${path}`)).to.have.members([plain.id, owned.id, other.id]);

      const changed = await mine.api('PATCH', `/${path}/${plain.id}`, { managed_by: STACK });
      expect(changed.body.managed_by).to.equal(STACK);
      expect(await idsOf(`/${path}?managed_by=${STACK}`)).to.have.members([plain.id, owned.id]);
      const cleared = await mine.api('PATCH', `/${path}/${owned.id}`, { managed_by: null });
      expect(cleared.body.managed_by).to.equal(null);
      expect(await idsOf(`/${path}?managed_by=${STACK}`)).to.deep.equal([plain.id]);
    });

    it(`has at most 100 characters of ${path}`, async () => {
      expectInvalid(await mine.api('POST', `/${path}`, { ...bodyOf(1), managed_by: 'x'.repeat(101) }), 'managed_by');
      expectInvalid(await mine.api('POST', `/${path}`, { ...bodyOf(1), managed_by: '' }), 'managed_by');
      expect((await create(path, { ...bodyOf(1), managed_by: 'x'.repeat(100) })).managed_by).to.have.length(100);
    });
  }

  it('pages through the managed rows alone', async () => {
    for (const [path, bodyOf] of Object.entries(RESOURCES)) {
      for (const n of [1, 2, 3, 4]) await create(path, { ...bodyOf(n), managed_by: n % 2 ? STACK : 'other' });
      const first = (await mine.api('GET', `/${path}?managed_by=${STACK}&limit=1`)).body;
      expect(first.data, path).to.have.length(1);
      const rest = await mine.api('GET', `/${path}?managed_by=${STACK}&limit=1&cursor=${first.next_cursor}`);
      expect(rest.body.data, path).to.have.length(1);
      expect(rest.body.data[0].id, path).not.to.equal(first.data[0].id);
      expect(rest.body.next_cursor, path).to.equal(null);
      expectError(
        await mine.api('GET', `/${path}?managed_by=other&cursor=${first.next_cursor}`),
        400,
        'invalid_request',
      );
    }
  });

  it('filters the count and the export of links, and an import takes it over', async () => {
    await create('links', { ...RESOURCES.links(1), slug: 'owned', managed_by: STACK });
    await create('links', { ...RESOURCES.links(2), slug: 'free' });
    expect((await mine.api('GET', `/links/count?managed_by=${STACK}`)).body.count).to.equal(1);
    const { body } = await mine.api('GET', `/links/export?managed_by=${STACK}`);
    expect(String(body)).to.contain('owned').and.contain(STACK).and.not.contain('free');
  });

  it('is written by every way to write links', async () => {
    const put = await mine.api('PUT', '/links/external/a%2Fb', { destination: DESTINATION, managed_by: STACK });
    expect(put.body).to.include({ external_id: 'a/b', managed_by: STACK });
    const many = await mine.api('POST', '/links/bulk', { links: [{ destination: DESTINATION, managed_by: STACK }] });
    const [{ link }] = many.body.results;
    expect(link.managed_by).to.equal(STACK);
    const set = await mine.api('PATCH', '/links/bulk', { ids: [link.id], set: { managed_by: 'code:sales' } });
    expect(set.body.results[0].link.managed_by).to.equal('code:sales');
  });

  it('is in the audit log', async () => {
    const { id } = await create('tags', RESOURCES.tags(1));
    await mine.api('PATCH', `/tags/${id}`, { managed_by: STACK });
    const entry = await AuditEntry.findOne({ where: { subjectId: id, action: 'tag.updated' }, rejectOnEmpty: true });
    expect(entry.details).to.deep.equal({ changes: { managed_by: { from: null, to: STACK } } });
  });
});

describe('your own ids of webhooks', () => {
  const world = useWorld();
  let first: Tenant;
  let mine: Tenant;

  beforeEach(async () => {
    first = await firstTenant(world);
    mine = await makeTenant(world, first.teamId);
  });

  const post = (body: object, by = mine) => by.api('POST', '/webhooks', { url: URL_TAKEN, ...body });

  it('are unique in the project, and free again once the webhook is deleted', async () => {
    const made = await post({ external_id: 'marketing/orders' });
    expect(made.body.external_id).to.equal('marketing/orders');
    expectError(await post({ external_id: 'marketing/orders' }), 409, 'conflict');
    const other = await makeTenant(world, first.teamId);
    expect((await post({ external_id: 'marketing/orders' }, other)).status).to.equal(201);
    const second = await post({ external_id: 'second' });
    expectError(
      await mine.api('PATCH', `/webhooks/${second.body.id}`, { external_id: 'marketing/orders' }),
      409,
      'conflict',
    );
    await mine.api('DELETE', `/webhooks/${made.body.id}`);
    const renamed = await mine.api('PATCH', `/webhooks/${second.body.id}`, { external_id: 'marketing/orders' });
    expect(renamed.body.external_id).to.equal('marketing/orders');
  });

  it('find a webhook, and may be null', async () => {
    expect((await post({})).body.external_id).to.equal(null);
    expect((await post({ external_id: null })).status).to.equal(201);
    const { body } = await post({ external_id: 'a/b' });
    const found = await mine.api('GET', '/webhooks?external_id=a%2Fb');
    expect(found.body.data.map(({ id }: { id: string }) => id)).to.deep.equal([body.id]);
    expect((await mine.api('GET', '/webhooks?external_id=nobody')).body.data).to.deep.equal([]);
    const cleared = await mine.api('PATCH', `/webhooks/${body.id}`, { external_id: null });
    expect(cleared.body.external_id).to.equal(null);
    expectInvalid(await post({ external_id: 'x'.repeat(201) }), 'external_id');
  });
});
