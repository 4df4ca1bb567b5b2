// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { Domain } from '../../../src/models/Domain.ts';
import type { Api } from '../../support/api.ts';
import { addDomain, TARGET, useDomains } from '../../support/domains.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { makeTenant, memberSession, type Tenant } from '../../support/tenants.ts';
import { walk } from '../../support/walk.ts';

const ROOT = 'https://www.example.com/root';

describe('domains', () => {
  const { world, names, hostname } = useDomains({ DOMAINS_PER_PROJECT: '5' });
  let mine: Tenant;
  let api: Api;

  beforeEach(async () => {
    mine = await makeTenant(world());
    api = mine.api;
  });

  it('show every field', async () => {
    const name = hostname();
    const { id, created_at, updated_at, verification, ...others } = await addDomain(api, name, {
      root_destination: ROOT,
    });
    expect(id).to.match(/^dom_[0-9a-z]{26}$/);
    expect([created_at, updated_at]).to.satisfy((times: string[]) => times.every((time) => time.endsWith('Z')));
    expect(others).to.deep.equal({
      project_id: mine.projectId,
      hostname: name,
      kind: 'link',
      status: 'pending',
      problem: null,
      checked_at: null,
      verified_at: null,
      root_destination: ROOT,
      not_found_destination: null,
      expired_destination: null,
      managed_by: null,
    });
    const [txt, cname] = verification;
    expect(txt).to.deep.include({ name: `_svc-challenge.${name}`, type: 'TXT', purpose: 'ownership' });
    expect(txt.value).to.match(/^svc-verify=[\w-]{32}$/);
    expect(cname).to.deep.include({ name, type: 'CNAME', value: TARGET, purpose: 'routing' });
    for (const record of verification) expect(record.about).to.be.a('string').that.is.not.empty;
    expect((await api('GET', `/domains/${id}`)).body).to.deep.include({ id, verification });
  });

  it('of pages are shown a file', async () => {
    const domain = await addDomain(api, hostname(), { kind: 'web' });
    const file = {
      name: `https://${domain.hostname}/.well-known/${domain.id}.txt`,
      type: 'FILE',
      purpose: 'ownership',
    };
    expect(domain.verification[1]).to.deep.include(file);
    expect(domain.verification[1].value).to.equal(domain.verification[0].value);
  });

  it('are listed newest first and filtered; none of others', async () => {
    const ids: string[] = [];
    for (const kind of ['link', 'web', 'link']) ids.unshift((await addDomain(api, hostname(), { kind })).id);
    await addDomain((await makeTenant(world(), mine.teamId)).api, hostname());
    const idsOf = async (query = {}) => (await walk(api, '/domains', { limit: '1', ...query })).map(({ id }) => id);
    expect(await idsOf()).to.deep.equal(ids);
    expect(await idsOf({ kind: 'web' })).to.deep.equal([ids[1]]);
    await inTransaction((transaction) =>
      Domain.update({ status: 'verified' }, { where: { id: ids[0] as string }, transaction }),
    );
    expect(await idsOf({ status: 'verified' })).to.deep.equal([ids[0]]);
    expect(await idsOf({ status: 'pending', kind: 'link' })).to.deep.equal([ids[2]]);
    expectInvalid(await api('GET', '/domains?kind=other&status=gone'), 'kind', 'status');
  });

  it('409 for a name that the project has, however it is written', async () => {
    await addDomain(api, 'bücher.customer.com');
    for (const again of ['BÜCHER.customer.com.', 'xn--bcher-kva.customer.com']) {
      const reply = await api('POST', '/domains', { hostname: again, kind: 'web' });
      expectError(reply, 409, 'conflict');
    }
  });

  it('one of several at once is added', async () => {
    const name = hostname();
    const replies = await Promise.all([1, 2, 3, 4].map(() => api('POST', '/domains', { hostname: name })));
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409]);
  });

  it('several projects may wait for the same name', async () => {
    const name = hostname();
    for (const teamId of [mine.teamId, undefined]) await addDomain((await makeTenant(world(), teamId)).api, name);
    await addDomain(api, name);
  });

  it('422 for what is no name to have, with every other bad field', async () => {
    for (const bad of [
      'https://go.customer.com',
      'go.customer.com:443',
      '*.customer.com',
      '192.0.2.1',
      'co.uk',
      TARGET,
    ]) {
      const reply = await api('POST', '/domains', { hostname: bad });
      expectInvalid(reply, 'hostname');
      expect(reply.body.error.fields[0].message, bad).to.match(/\.$/);
    }
    const reply = await api('POST', '/domains', { hostname: 'a/b', kind: 'x', root_destination: 'ftp://a.b' });
    expectInvalid(reply, 'hostname', 'kind', 'root_destination');
    expectInvalid(await api('POST', '/domains', {}), 'hostname');
  });

  it('have an end', async () => {
    for (let made = 0; made < 5; made += 1) await addDomain(api, hostname());
    const reply = await api('POST', '/domains', { hostname: hostname() });
    expectError(reply, 403, 'account_limit_reached');
    expect(reply.body.error.message).to.include('5 domains');
  });

  it('are changed: the destinations alone, null clears', async () => {
    const { id } = await addDomain(api, hostname(), { root_destination: ROOT, not_found_destination: ROOT });
    const changed = await api('PATCH', `/domains/${id}`, { root_destination: null, expired_destination: `${ROOT}/2` });
    expect(changed.status).to.equal(200);
    const wanted = { root_destination: null, not_found_destination: ROOT, expired_destination: `${ROOT}/2` };
    expect(changed.body).to.deep.include(wanted);
    expect((await api('GET', `/domains/${id}`)).body).to.deep.include(wanted);
    for (const field of ['hostname', 'kind', 'status']) {
      expectInvalid(await api('PATCH', `/domains/${id}`, { [field]: 'link' }), field);
    }
  });

  it('lead where links may lead, and not to themselves', async () => {
    const name = hostname();
    for (const bad of [
      'http://169.254.169.254/',
      `https://${TARGET}/x`,
      `http://${name}:${new URL(world().origin).port}/`,
    ]) {
      for (const field of ['root_destination', 'not_found_destination', 'expired_destination']) {
        const reply = await api('POST', '/domains', { hostname: name, [field]: bad });
        expectError(reply, 422, 'destination_refused');
        expect(reply.body.error.message).to.include(field);
      }
    }
    const { id } = await addDomain(api, name);
    const reply = await api('PATCH', `/domains/${id}`, { root_destination: `https://${TARGET}/x` });
    expectError(reply, 422, 'destination_refused');
  });

  it('are deleted; a second time 404', async () => {
    const { id, hostname: name } = await addDomain(api, hostname());
    expect((await api('DELETE', `/domains/${id}`)).status).to.equal(204);
    expectError(await api('DELETE', `/domains/${id}`), 404, 'not_found');
    expectError(await api('GET', `/domains/${id}`), 404, 'not_found');
    await addDomain(api, name);
  });

  it('who did what is noted', async () => {
    const { id, hostname: name } = await addDomain(api, hostname());
    await api('PATCH', `/domains/${id}`, { root_destination: ROOT });
    await api('PATCH', `/domains/${id}`, { root_destination: ROOT });
    await api('DELETE', `/domains/${id}`);
    const notes = await AuditEntry.findAll({ where: { subjectId: id }, order: [['id', 'ASC']], raw: true });
    expect(notes.map(({ action }) => action)).to.deep.equal(['domain.created', 'domain.updated', 'domain.deleted']);
    for (const note of notes)
      expect(note).to.deep.include({ subjectName: name, actorKind: 'key', teamId: mine.teamId });
  });

  it('a repeat with the same Idempotency-Key adds nothing', async () => {
    const name = hostname();
    const add = () => api('POST', '/domains', { hostname: name }, { headers: { 'Idempotency-Key': name } });
    const [first, second] = [await add(), await add()];
    expect([first.status, second.status]).to.deep.equal([201, 201]);
    expect(second.body).to.deep.equal(first.body);
  });

  describe('over GraphQL', () => {
    const CREATE = `mutation ($input: CreateDomainInput!) { createDomain(input: $input) { id hostname status } }`;
    const VERIFY = 'mutation ($id: ID!) { verifyDomain(id: $id) { id } }';
    const LIST = 'query ($projectId: ID!) { domains(projectId: $projectId) { data { id verification { type } } } }';

    it('admins add them, members read them, others know nothing', async () => {
      const ask = async (role: 'admin' | 'member' | 'viewer', query: string, variables: object, teamId = mine.teamId) =>
        graphql(world().origin, query, variables as never, await memberSession(world(), teamId, role));
      const input = { projectId: mine.projectId, hostname: hostname() };
      const { data } = await ask('admin', CREATE, { input });
      const { id } = data.createDomain;
      const code = (reply: Awaited<ReturnType<typeof ask>>) => reply.errors?.[0]?.extensions.code;
      for (const role of ['member', 'viewer'] as const) {
        expect((await ask(role, LIST, { projectId: mine.projectId })).data.domains.data).to.deep.equal([
          { id, verification: [{ type: 'TXT' }, { type: 'CNAME' }] },
        ]);
        const more = { input: { ...input, hostname: hostname() } };
        expect(code(await ask(role, CREATE, more))).to.equal('insufficient_scope');
        expect(code(await ask(role, VERIFY, { id }))).to.equal('insufficient_scope');
      }
      const { teamId } = await makeTenant(world());
      expect(code(await ask('admin', LIST, { projectId: mine.projectId }, teamId))).to.equal('not_found');
      expect(code(await ask('admin', VERIFY, { id }, teamId))).to.equal('not_found');
    });
  });

  it('reading and adding them asks no name server', async () => {
    const before = names().asked.length;
    await addDomain(api, 'customer-apex.com');
    const { body } = await api('GET', '/domains');
    const [, alias] = body.data[0].verification;
    expect(alias.about).to.match(/cannot have a CNAME/);
    expect(names().asked.length).to.equal(before);
  });
});
