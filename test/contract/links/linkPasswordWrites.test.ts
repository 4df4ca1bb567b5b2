// stores: any
import { expect } from 'chai';
import { database } from '../../../src/db/connection/database.ts';
import { query } from '../../../src/db/query.ts';
import { Event } from '../../../src/models/Event.ts';
import { Link } from '../../../src/models/Link.ts';
import { expectError } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { DESTINATION, PASSWORD, useProtectedLinks } from '../../support/protectedLinks.ts';
import { firstTenant, ownerSession } from '../../support/tenants.ts';

describe('passwords of links, where links are written', () => {
  const { world, guess, create } = useProtectedLinks();

  const stored = async (id: string) => (await Link.findByPk(id, { rejectOnEmpty: true })).passwordHash;
  const expectProtected = async (link: Record<string, unknown>, password = PASSWORD) => {
    expect(link).to.include({ password_protected: true }).and.not.to.have.any.keys('password', 'password_hash');
    expect(JSON.stringify(link)).not.to.contain(PASSWORD);
    expect(await stored(link.id as string)).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await guess(`/${link.slug}`, password)).status).to.equal(303);
  };

  it('POST, PATCH, PUT by external id, bulk creation and bulk change', async () => {
    const body = { destination: DESTINATION, password: PASSWORD };
    const created = await world().api('POST', '/links', body);
    await expectProtected(created.body);
    const { id } = await create({ password: null });
    await expectProtected((await world().api('PATCH', `/links/${id}`, { password: PASSWORD })).body);
    await expectProtected((await world().api('PUT', '/links/external/by-put', body)).body);
    await expectProtected((await world().api('PUT', '/links/external/by-put', { password: 'newer' })).body, 'newer');
    const links = [body, { ...body, password: 'four' }, { ...body, password: null }, { destination: DESTINATION }];
    const { results } = (await world().api('POST', '/links/bulk', { links })).body;
    await expectProtected(results[0].link);
    await expectProtected(results[1].link, 'four');
    for (const at of [2, 3]) expect(results[at].link).to.include({ password_protected: false });
    const ids = results.map(({ link }: { link: Link }) => link.id);
    const changed = (await world().api('PATCH', '/links/bulk', { ids, set: { password: 'for all' } })).body;
    expect(changed.counts).to.deep.equal({ updated: 4, failed: 0 });
    for (const { link } of changed.results) await expectProtected(link, 'for all');
    const cleared = (await world().api('PATCH', '/links/bulk', { ids, set: { password: null } })).body;
    for (const { link } of cleared.results) expect(link).to.include({ password_protected: false });
    for (const linkId of ids) expect(await stored(linkId)).to.equal(null);
  });

  it('refuses a list of more than 20 different ones, and makes none of it', async () => {
    const link = (at: number) => ({ destination: DESTINATION, password: `password ${at}`, slug: `many-${at}` });
    const reply = await world().api('POST', '/links/bulk', { links: Array.from({ length: 21 }, (_, at) => link(at)) });
    expectError(reply, 422, 'validation_failed');
    expect(reply.body.error.fields.map(({ path }: { path: string }) => path)).to.deep.equal(['links.20.password']);
    expect((await world().api('GET', '/links?search=many-')).body.data).to.deep.equal([]);
  });

  it('GraphQL takes it and does not show it', async () => {
    const cookie = await ownerSession(world());
    const { projectId } = await firstTenant(world());
    const input = { projectId, destination: DESTINATION, password: PASSWORD };
    const document = 'mutation ($input: CreateLinkInput!) { createLink(input: $input) { id slug passwordProtected } }';
    const { data } = await graphql(world().origin, document, { input }, cookie);
    const { passwordProtected, ...link } = data.createLink;
    await expectProtected({ ...link, password_protected: passwordProtected });
    const asked = await graphql(world().origin, `{ link(id: "${link.id}") { password } }`, {}, cookie);
    expect(asked.errors).to.have.length(1);
  });

  for (const [password, message] of [
    ['', /./],
    ['abc', /at least 4 char/],
    ['x'.repeat(201), /at most 200 char/],
    [12345678, /./],
    [['x'], /./],
  ] as const) {
    it(`refuses ${JSON.stringify(password).slice(0, 12)}`, async () => {
      const reply = await world().api('POST', '/links', { destination: DESTINATION, password });
      expectError(reply, 422, 'validation_failed');
      expect(reply.body.error.fields[0].path).to.equal('password');
      expect(reply.body.error.fields[0].message).to.match(message);
      expect((await world().api('PATCH', '/links/bulk', { ids: ['lnk_x'], set: { password } })).status).to.equal(422);
    });
  }

  it('takes 200 characters of any kind', async () => {
    const password = '🐎'.repeat(200);
    const { slug } = await create({ password });
    expect((await guess(`/${slug}`, password)).status).to.equal(303);
  });

  it('tells receivers when a link is protected or no longer, not when one password follows another', async () => {
    const { id } = await create({ password: null });
    const updates = async () => {
      const events = await Event.findAll({ where: { linkId: id, type: 'link.updated' }, order: [['id', 'ASC']] });
      return events.map(({ data }) => (data as { changes: object }).changes);
    };
    const change = async (password: string | null) => {
      const { body } = await world().api('PATCH', `/links/${id}`, { password });
      return body.updated_at;
    };
    const none = await change(null);
    expect(await updates()).to.deep.equal([]);
    const first = await change('first');
    const second = await change('second');
    expect(new Set([none, first, second]).size).to.equal(3);
    await change(null);
    expect(await updates()).to.deep.equal([
      { password_protected: { from: false, to: true } },
      { password_protected: { from: true, to: false } },
    ]);
  });

  it('is never in a file, and no file sets it', async () => {
    await create({ external_id: 'in-a-file' });
    const { body } = await world().api('GET', '/links/export');
    expect(body.split('\n')[0]).not.to.contain('password');
    expect(body).not.to.contain('argon2').and.not.to.contain(PASSWORD);
  });

  it('with an Idempotency-Key: done once, another password is another request, and none is stored', async () => {
    const headers = { 'Idempotency-Key': 'a-password' };
    const body = { destination: DESTINATION, password: 'once and only' };
    const first = await world().api('POST', '/links', body, { headers });
    const again = await world().api('POST', '/links', body, { headers });
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    expect(again.body).to.deep.equal(first.body);
    const other = await world().api('POST', '/links', { ...body, password: 'another' }, { headers });
    expectError(other, 422, 'idempotency_key_reused');
  });

  it('stands nowhere in the store in plain text', async () => {
    const tables = await database().getQueryInterface().showAllTables();
    const names = tables.map((table: string | { tableName: string }) =>
      typeof table === 'string' ? table : table.tableName,
    );
    expect(names).to.include.members(['links', 'events', 'idempotency_records']);
    for (const name of names) {
      const rows = JSON.stringify(await query(`SELECT * FROM "${name}"`));
      for (const secret of [PASSWORD, 'once and only', 'for all']) expect(rows.includes(secret), name).to.equal(false);
    }
  });
});
