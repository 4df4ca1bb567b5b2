// stores: each
import { expect } from 'chai';
import { setTeamReadOnly } from '../../../src/accounts/teamService.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { clearFlag, flagLink } from '../../../src/links/flagService.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { Membership, type Role } from '../../../src/models/Membership.ts';
import { User } from '../../../src/models/User.ts';
import { createLink } from '../../support/createLink.ts';
import { graphql } from '../../support/graphql.ts';
import { rowsWith } from '../../support/rowsWith.ts';
import { stopClock } from '../../support/stopClock.ts';
import { makeTenant, memberSession, type Tenant } from '../../support/tenants.ts';
import { useWorld, type World } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
const LIST = `query ($teamId: ID!, $projectId: ID, $actorId: ID, $action: String, $subjectId: ID,
    $createdAfter: DateTimeISO, $createdBefore: DateTimeISO, $limit: Int, $cursor: String) {
  auditLog(teamId: $teamId, projectId: $projectId, actorId: $actorId, action: $action, subjectId: $subjectId,
    createdAfter: $createdAfter, createdBefore: $createdBefore, limit: $limit, cursor: $cursor) {
    data { id createdAt action about actor { kind id name } projectId subjectId subjectName details } nextCursor
  }
}`;

/** Signed in as a new member, without the note of that: these tests look at what comes after it. */
async function quietSession(world: World, teamId: string, role: Role): Promise<string> {
  const cookie = await memberSession(world, teamId, role);
  const where = { teamId, action: 'account.signed_in' };
  await inTransaction((transaction) => AuditEntry.destroy({ where, transaction }));
  return cookie;
}

describe('the audit log', () => {
  const world = useWorld();
  let mine: Tenant;
  let owner: string;
  beforeEach(async () => {
    mine = await makeTenant(world);
    owner = await quietSession(world, mine.teamId, 'owner');
  });
  afterEach(() => clock.reset());

  const ask = (variables: object = {}, cookie: string | undefined = owner) =>
    graphql(world.origin, LIST, { teamId: mine.teamId, ...variables }, cookie);
  const entries = async (variables: object = {}) => {
    const { data, errors } = await ask(variables);
    expect(errors, JSON.stringify(errors)).to.equal(undefined);
    return data.auditLog.data;
  };
  const actions = async (variables: object = {}) =>
    (await entries(variables)).map(({ action }: { action: string }) => action);
  const change = (document: string, variables: object) => graphql(world.origin, document, { ...variables }, owner);

  it('says who, what and when, newest first', async () => {
    const time = stopClock();
    const link = await createLink(mine.api, { destination: DESTINATION, slug: 'noted' });
    time.move(60);
    await change('mutation ($id: ID!) { archiveLink(id: $id) { id } }', { id: link.id });
    const [archived, created] = await entries();
    expect(archived).to.deep.include({
      action: 'link.archived',
      about: 'A link was archived.',
      projectId: mine.projectId,
      subjectId: link.id,
      details: {},
      createdAt: new Date(time.nowMs).toISOString(),
    });
    expect(archived.subjectName).to.match(/\/noted$/);
    expect(archived.actor.kind).to.equal('user');
    expect(archived.actor.name).to.match(/^owner-.*@example\.com$/);
    expect(created.action).to.equal('link.created');
    expect(created.actor).to.deep.include({ kind: 'key', name: 'All' });
    expect(created.actor.id).to.match(/^key_/);
  });

  it('says what was different of a change, and nothing when nothing was', async () => {
    const { id } = await createLink(mine.api, { destination: DESTINATION, tags: ['a'] });
    await mine.api('PATCH', `/links/${id}`, { title: 'New', tags: ['a', 'b'] });
    await mine.api('PATCH', `/links/${id}`, { title: 'New' });
    const [updated, ...more] = await entries({ action: 'link.updated' });
    expect(more).to.deep.equal([]);
    expect(updated.details).to.deep.equal({
      changes: { title: { from: null, to: 'New' }, tags: { from: ['a'], to: ['a', 'b'] } },
    });
    const tag = await mine.api('POST', '/tags', { name: 'c', color: '#112233' });
    for (const color of ['#112233', '#445566']) await mine.api('PATCH', `/tags/${tag.body.id}`, { color });
    const [recoloured, ...others] = await entries({ action: 'tag.updated' });
    expect(others).to.deep.equal([]);
    expect(recoloured.details).to.deep.equal({ changes: { color: { from: '#112233', to: '#445566' } } });
    const project = { match_window_seconds: 7200, name: 'Neighbours' };
    await mine.api('PATCH', `/projects/${mine.projectId}`, project);
    const [renamed] = await entries({ action: 'project.updated' });
    expect(renamed.details).to.deep.equal({ changes: { match_window_seconds: { from: 3600, to: 7200 } } });
  });

  it('cuts what is long', async () => {
    const { id } = await createLink(mine.api, { destination: DESTINATION });
    const notes = 'n'.repeat(5000);
    const data = { list: Array.from({ length: 500 }, (_, at) => at) };
    await mine.api('PATCH', `/links/${id}`, { notes, data });
    const [{ details }] = await entries({ action: 'link.updated' });
    expect(details.changes.notes).to.deep.equal({ from: null, to: `${notes.slice(0, 300)}…` });
    expect(details.changes.data.to)
      .to.match(/^\{"list":\[0,1,.*…$/)
      .and.have.lengthOf(301);
  });

  it('holds no secret', async () => {
    const { id } = await createLink(mine.api, { destination: DESTINATION });
    await mine.api('PATCH', `/links/${id}`, { password: 'the first password' });
    await mine.api('PATCH', `/links/${id}`, { password: 'another password' });
    const hook = await mine.api('POST', '/webhooks', { url: 'http://127.0.0.1:9999/secret' });
    await mine.api('GET', `/webhooks/${hook.body.id}/secret`);
    const rotated = await mine.api('POST', `/webhooks/${hook.body.id}/rotate_secret`, {});
    const key = await mine.api('POST', '/keys', { name: 'Made' });
    const rolled = await mine.api('POST', `/keys/${key.body.id}/roll`, {});
    const secrets = [hook.body.secret, rotated.body.secret, key.body.key, rolled.body.key];
    expect(secrets.every((secret) => typeof secret === 'string')).to.equal(true);
    const { audit_entries = [] } = await rowsWith('password', 'argon2', 'whsec_', 'sk_live_', ...secrets);
    const kept = audit_entries.map((row) => JSON.parse(row).details).map((details) => JSON.stringify(details));
    for (const details of kept) {
      for (const word of ['first password', 'another password', 'argon2', 'whsec_', 'sk_live_', ...secrets]) {
        expect(details).not.to.include(word);
      }
    }
    const updates = await entries({ action: 'link.updated' });
    expect(updates.map(({ details }: { details: object }) => details)).to.deep.equal([
      { changes: {}, password_set: true },
      { changes: { password_protected: { from: false, to: true } }, password_set: true },
    ]);
    expect(await actions({ subjectId: hook.body.id })).to.deep.equal([
      'webhook.secret_rotated',
      'webhook.secret_read',
      'webhook.created',
    ]);
  });

  it('has one entry for a list of links, and none when none of them was changed', async () => {
    const links = [{ destination: DESTINATION }, { destination: 'nowhere' }, { destination: DESTINATION }];
    const made = await mine.api('POST', '/links/bulk', { links });
    const ids = made.body.results.flatMap(({ link }: { link: { id: string } | null }) => link?.id ?? []);
    await mine.api('PATCH', '/links/bulk', { ids, set: { title: 'Changed' } });
    await mine.api('POST', '/links/bulk/delete', { ids });
    await mine.api('POST', '/links/bulk/delete', { ids });
    const noted = await entries();
    expect(noted.map(({ action }: { action: string }) => action)).to.deep.equal([
      'links.deleted_in_bulk',
      'links.updated_in_bulk',
      'links.created_in_bulk',
    ]);
    expect(noted[2].details).to.deep.equal({ batch_id: made.body.batch_id, counts: { created: 2, failed: 1 } });
    expect(noted[2].subjectId).to.equal(made.body.batch_id);
  });

  it('has an entry for each of many links that are made at once, with who made it', async () => {
    const other = await makeTenant(world, mine.teamId);
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, at) => createLink((at % 2 ? mine : other).api, { destination: DESTINATION })),
    );
    const noted = await entries({ limit: 100 });
    expect(noted.map(({ subjectId }: { subjectId: string }) => subjectId)).to.have.members(made.map(({ id }) => id));
    expect(new Set(noted.map(({ actor }: { actor: { id: string } }) => actor.id)).size).to.equal(2);
    expect(await entries({ projectId: other.projectId, limit: 100 })).to.have.lengthOf(30);
  });

  it('has one entry for a request and its repeats, and none for what is refused', async () => {
    const body = { destination: DESTINATION, slug: 'once' };
    const headers = { 'Idempotency-Key': 'once' };
    for (let time = 0; time < 3; time += 1)
      expect((await mine.api('POST', '/links', body, { headers })).status).to.equal(201);
    expect((await mine.api('POST', '/links', body)).body.error.code).to.equal('slug_taken');
    expect(await actions()).to.deep.equal(['link.created']);
    const tag = { name: 'one' };
    await mine.api('POST', '/tags', tag);
    expect((await mine.api('POST', '/tags', tag)).status).to.equal(409);
    expect(await actions()).to.deep.equal(['tag.created', 'link.created']);
  });

  it('has no second entry for what is so already', async () => {
    const { id } = await createLink(mine.api, { destination: DESTINATION });
    const hook = (await mine.api('POST', '/webhooks', { url: 'http://127.0.0.1:9999/x' })).body;
    for (const path of [`/links/${id}/archive`, `/webhooks/${hook.id}/disable`]) {
      for (let time = 0; time < 2; time += 1) await mine.api('POST', path);
    }
    expect(await actions({ subjectId: id })).to.deep.equal(['link.archived', 'link.created']);
    expect(await actions({ subjectId: hook.id })).to.deep.equal(['webhook.disabled', 'webhook.created']);
  });

  it('knows the operator, and not what the product does itself', async () => {
    const { id } = await createLink(mine.api, { destination: DESTINATION });
    await flagLink(id, 'Looks bad.');
    await clearFlag(id);
    await flagLink(id, 'A scan says so.', [{ field: 'destination', url: DESTINATION }] as never);
    for (const reason of ['A test.', 'A test.', null]) await setTeamReadOnly('operator', mine.teamId, reason);
    const noted = await entries();
    expect(noted.map(({ action }: { action: string }) => action)).to.deep.equal([
      'team.active',
      'team.read_only',
      'link.flag_cleared',
      'link.flagged',
      'link.created',
    ]);
    expect(noted[3].actor).to.deep.equal({ kind: 'operator', id: null, name: null });
    expect(noted[1]).to.deep.include({ projectId: null, details: { reason: 'A test.' } });
  });

  it('shows no name of somebody who is gone', async () => {
    const email = `${mine.teamId}@example.com`;
    const link = await createLink(mine.api, { destination: DESTINATION });
    await change('mutation ($id: ID!) { archiveLink(id: $id) { id } }', { id: link.id });
    const [{ actor }] = await entries();
    expect(actor.name).to.be.a('string').and.not.equal(email);
    const admin = await quietSession(world, mine.teamId, 'admin');
    await inTransaction(async (transaction) => {
      await Membership.destroy({ where: { userId: actor.id }, transaction });
      await User.destroy({ where: { id: actor.id }, transaction });
    });
    const { data } = await ask({}, admin);
    expect(data.auditLog.data[0].actor).to.deep.equal({ kind: 'user', id: actor.id, name: null });
  });

  it('is filtered by project, actor, action, subject and time, and read page by page', async () => {
    const time = stopClock();
    const other = await makeTenant(world, mine.teamId);
    const ids: string[] = [];
    for (const { api } of [mine, other, mine, other, mine]) {
      ids.push((await createLink(api, { destination: DESTINATION })).id);
      time.move(1);
    }
    await mine.api('DELETE', `/links/${ids[0]}`);
    const subjects = async (variables: object) =>
      (await entries(variables)).map(({ subjectId }: { subjectId: string }) => subjectId);
    expect(await subjects({ projectId: other.projectId })).to.deep.equal([ids[3], ids[1]]);
    expect(await subjects({ subjectId: ids[0] })).to.deep.equal([ids[0], ids[0]]);
    expect(await subjects({ action: 'link.deleted' })).to.deep.equal([ids[0]]);
    const [{ actor }] = await entries({ projectId: other.projectId });
    expect(await subjects({ actorId: actor.id })).to.deep.equal([ids[3], ids[1]]);
    const at = (seconds: number) => new Date(time.nowMs - seconds * 1000).toISOString();
    expect(await subjects({ createdAfter: at(3), createdBefore: at(1) })).to.deep.equal([ids[3], ids[2]]);
    const walked: string[] = [];
    for (let cursor: string | null = null, pages = 0; pages < 4; pages += 1) {
      const { data } = await ask({ limit: 2, cursor });
      walked.push(...data.auditLog.data.map(({ subjectId }: { subjectId: string }) => subjectId));
      cursor = data.auditLog.nextCursor;
      if (cursor === null) break;
    }
    expect(walked).to.deep.equal([ids[0], ids[4], ids[3], ids[2], ids[1], ids[0]]);
    expect((await ask({ limit: 101 })).errors?.[0]?.extensions.code).to.equal('validation_failed');
    expect((await ask({ action: 'link.stolen' })).errors?.[0]?.extensions.code).to.equal('validation_failed');
  });

  it('is for every member of the team, and for nobody else', async () => {
    await createLink(mine.api, { destination: DESTINATION });
    for (const role of ['viewer', 'member', 'admin'] as const) {
      const { data } = await ask({}, await quietSession(world, mine.teamId, role));
      expect(data.auditLog.data).to.have.lengthOf(1);
    }
    const stranger = await quietSession(world, (await makeTenant(world)).teamId, 'owner');
    expect((await ask({}, stranger)).errors?.[0]?.extensions.code).to.equal('not_found');
    expect((await ask({}, '')).errors?.[0]?.extensions.code).to.equal('not_signed_in');
    expect(await entries({ projectId: (await makeTenant(world)).projectId })).to.deep.equal([]);
  });

  it('commits with the change or not at all', async () => {
    const count = () => AuditEntry.count({ where: { teamId: mine.teamId } });
    const { id } = await createLink(mine.api, { destination: DESTINATION });
    const failed = await inTransaction(async () => {
      throw new Error('rolled back');
    }).catch((error: Error) => error.message);
    expect(failed).to.equal('rolled back');
    expect(await count()).to.equal(1);
    // Of ten who delete it at once one does.
    const deleted = await Promise.all(Array.from({ length: 10 }, () => mine.api('DELETE', `/links/${id}`)));
    expect(deleted.filter(({ status }) => status === 204)).to.have.lengthOf(1);
    expect(await count()).to.equal(2);
  });
});
