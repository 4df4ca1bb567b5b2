// stores: each
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock, DAY_MS } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { Domain } from '../../../src/models/Domain.ts';
import { Project } from '../../../src/models/Project.ts';
import { AGENTS } from '../../support/agents.ts';
import { expectError } from '../../support/expectError.ts';
import { type GraphqlReply, graphql } from '../../support/graphql.ts';
import { makeHook } from '../../support/makeHook.ts';
import { makeThings } from '../../support/operations.ts';
import { mailsTo, theOwner } from '../../support/people.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { MEMBER_PASSWORD, makeTenant, memberSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
const DELETE =
  'mutation ($id: ID!, $password: String!) { deleteProject(id: $id, password: $password) { id deletionAt } }';
const RESTORE = 'mutation ($id: ID!) { restoreProject(id: $id) { id deletionAt } }';
const DELETED = 'query ($teamId: ID!) { deletedProjects(teamId: $teamId) { data { id deletionAt } nextCursor } }';
const CONTENTS =
  'query ($id: ID!) { projectContents(id: $id) { projects links domains webhooks keys members installs clicks } }';

const codeOf = ({ errors }: GraphqlReply) => errors?.[0]?.extensions.code;

describe('the deletion of a project', () => {
  const world = useWorld({ SMTP_URL: 'smtp://127.0.0.1:1' });
  let receiver: Receiver;
  let isFailing = false;
  let mine: Tenant;
  let owner: string;

  before(async () => {
    receiver = await startReceiver((request, response, received) => {
      received.headers['x-path'] = request.url?.replace('/hook', '');
      response.writeHead(isFailing ? 500 : 200).end();
    });
  });
  after(() => receiver.close());
  beforeEach(async () => {
    mine = await makeTenant(world);
    owner = await memberSession(world, mine.teamId, 'owner');
  });
  afterEach(() => clock.reset());

  const ask = (query: string, variables: object = {}, cookie = owner) =>
    graphql(world.origin, query, { ...variables }, cookie);
  const deleteIt = (cookie = owner, password = MEMBER_PASSWORD) =>
    ask(DELETE, { id: mine.projectId, password }, cookie);
  const restoreIt = (cookie = owner) => ask(RESTORE, { id: mine.projectId }, cookie);
  const follow = (slug: string, host?: string) =>
    rawRequest(world.origin, `/${slug}`, { headers: { 'User-Agent': AGENTS.human }, ...(host ? { host } : {}) });

  describe('is refused', () => {
    it('to members and viewers, other teams, keys and strangers', async () => {
      for (const role of ['member', 'viewer'] as const) {
        const cookie = await memberSession(world, mine.teamId, role);
        for (const reply of [
          await deleteIt(cookie),
          await restoreIt(cookie),
          await ask(CONTENTS, { id: mine.projectId }, cookie),
          await ask(DELETED, { teamId: mine.teamId }, cookie),
        ]) {
          expect(codeOf(reply), role).to.equal('insufficient_scope');
        }
      }
      const other = await makeTenant(world);
      const stranger = await memberSession(world, other.teamId, 'owner');
      for (const reply of [
        await deleteIt(stranger),
        await restoreIt(stranger),
        await ask(CONTENTS, { id: mine.projectId }, stranger),
        await ask(DELETED, { teamId: mine.teamId }, stranger),
      ]) {
        expect(codeOf(reply)).to.equal('not_found');
      }
      expect(codeOf(await deleteIt('session=x'))).to.equal('not_signed_in');
      expect((await mine.api('GET', '/links')).status).to.equal(200);
    });

    it('with a wrong password, which counts as an attempt', async () => {
      expect(codeOf(await deleteIt(owner, 'wrong password'))).to.equal('invalid_credentials');
      const codes = [];
      for (let tries = 0; tries < 10; tries += 1) codes.push(codeOf(await deleteIt(owner, 'wrong password')));
      expect(codes.at(-1)).to.equal('rate_limited');
      expect((await Project.findByPk(mine.projectId))?.deletionAt).to.equal(null);
    });
  });

  it('says what would be lost', async () => {
    await makeThings(mine);
    const { data } = await ask(CONTENTS, { id: mine.projectId });
    expect(data.projectContents).to.include({ projects: 1, members: 0, clicks: 0 });
    for (const kind of ['links', 'domains', 'webhooks', 'keys'])
      expect(data.projectContents[kind], kind).to.be.above(0);
  });

  it('is for admins too, and says until when it can be undone; a second call moves nothing', async () => {
    clock.use({ now: () => Date.parse('2026-11-25T12:00:00.000Z') });
    const admin = await memberSession(world, mine.teamId, 'admin');
    const both = await Promise.all([deleteIt(admin), deleteIt()]);
    clock.use({ now: () => Date.parse('2026-11-26T12:00:00.000Z') });
    const expected = { id: mine.projectId, deletionAt: '2026-12-02T12:00:00.000Z' };
    for (const { data } of [...both, await deleteIt()]) expect(data.deleteProject).to.deep.equal(expected);
    const { data } = await ask(DELETED, { teamId: mine.teamId });
    expect(data.deletedProjects).to.deep.equal({ data: [expected], nextCursor: null });
    const entries = await AuditEntry.findAll({ where: { teamId: mine.teamId, action: 'project.deleted' } });
    expect(entries.map(({ details }) => details)).to.deep.equal([{ deletion_at: expected.deletionAt }]);
  });

  it('checks no password again once it is deleted', async () => {
    const { data } = await deleteIt();
    expect((await deleteIt(owner, 'wrong password')).data?.deleteProject).to.deep.equal(data.deleteProject);
  });

  it('hides it and all that is in it from every question', async () => {
    const things = await makeThings(mine);
    const app = await mine.sdk();
    await deleteIt();
    const { projectId, teamId } = mine;
    const id = (name: keyof typeof things) => ({ id: things[name] });
    const questions: [query: string, variables: object][] = [
      ['query ($id: ID!) { project(id: $id) { id } }', { id: projectId }],
      ['query ($id: ID!) { links(projectId: $id) { data { id } } }', { id: projectId }],
      ['query ($id: ID!) { keys(projectId: $id) { data { id } } }', { id: projectId }],
      ['query ($id: ID!) { alerts(projectId: $id) { data { id } } }', { id: projectId }],
      ['query ($id: ID!) { link(id: $id) { id } }', id('links')],
      ['query ($id: ID!) { webhook(id: $id) { id } }', id('webhooks')],
      ['query ($id: ID!) { domain(id: $id) { id } }', id('domains')],
      ['query ($id: ID!) { alert(id: $id) { id } }', id('alerts')],
      ['mutation ($id: ID!) { revokeKey(id: $id) }', id('keys')],
      ['mutation ($id: ID!) { updateProject(id: $id, input: { name: "New" }) { id } }', { id: projectId }],
      [CONTENTS, { id: projectId }],
    ];
    for (const [query, variables] of questions) {
      const reply = await ask(query, variables);
      expect(codeOf(reply), `${query} ${JSON.stringify(reply)}`).to.equal('not_found');
    }
    const { data } = await ask(
      `query ($teamId: ID!) { projects(teamId: $teamId) { data { id } } webhooks(teamId: $teamId) { data { id } }
        alerts(teamId: $teamId) { data { id } } }`,
      { teamId },
    );
    for (const list of ['projects', 'webhooks', 'alerts']) expect(data[list].data, list).to.deep.equal([]);
    expectError(await mine.api('GET', '/links'), 401, 'invalid_key');
    expectError(await mine.api('POST', '/links', { destination: DESTINATION }), 401, 'invalid_key');
    const opening = { install_id: randomUUID(), first_open: true, platform: 'ios' };
    expectError(await app('POST', '/open', opening), 401, 'invalid_key');
  });

  it('ends its links and association files at once, and keeps its slugs and hosts', async () => {
    const hostname = `${newId('dom').replace('_', '-').toLowerCase()}.example.com`;
    const domain = { id: newId('dom'), projectId: mine.projectId, hostname, kind: 'link', status: 'verified' };
    const notFoundDestination = 'https://www.example.com/unknown';
    const rootDestination = 'https://www.example.com/root';
    const verified = { verifiedAt: new Date(), verifiedBy: 'dns', verificationToken: 'x', seen: {} };
    await inTransaction((transaction) =>
      Domain.create({ ...domain, ...verified, notFoundDestination, rootDestination }, { transaction }),
    );
    const apps = [{ platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345' }];
    const query = 'mutation ($id: ID!, $apps: JSON) { updateProject(id: $id, input: { apps: $apps }) { id } }';
    expect((await ask(query, { id: mine.projectId, apps })).errors).to.equal(undefined);
    const { body: own } = await mine.api('POST', '/links', { destination: DESTINATION, domain: hostname });
    const { body: shared } = await mine.api('POST', '/links', { destination: DESTINATION });
    const association = () => follow('.well-known/apple-app-site-association', hostname);
    const before = [await follow(own.slug, hostname), await follow('', hostname), await follow(shared.slug)];
    expect(before.map(({ status }) => status)).to.deep.equal([302, 302, 302]);
    expect((await association()).status).to.equal(200);

    await deleteIt();
    expect((await follow(own.slug, hostname)).headers.location).to.equal(notFoundDestination);
    expect((await follow('', hostname)).headers.location).to.equal(notFoundDestination);
    expect((await follow(shared.slug)).status).to.equal(404);
    expect((await association()).status).to.equal(404);
    const rival = await makeTenant(world);
    const taken = await rival.api('POST', '/links', { destination: DESTINATION, slug: shared.slug });
    expect(taken.status).to.equal(409);

    await restoreIt();
    const after = [await follow(own.slug, hostname), await follow('', hostname), await follow(shared.slug)];
    expect(after.map(({ headers }) => headers.location)).to.deep.equal([DESTINATION, rootDestination, DESTINATION]);
    expect((await association()).status).to.equal(200);
  });

  it('holds what was to be delivered, also to a webhook of the team, until it is restored', async () => {
    const neighbour = await makeTenant(world, mine.teamId);
    await makeHook(mine.api, { url: `${receiver.url}/own` });
    const input = { teamId: mine.teamId, url: `${receiver.url}/team`, eventTypes: ['link.created'] };
    const create = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }';
    expect((await ask(create, { input })).errors).to.equal(undefined);
    const sentTo = (path: string, { projectId }: Tenant) =>
      receiver.received.filter(({ event, headers }) => event.project_id === projectId && headers['x-path'] === path)
        .length;
    const sent = () => [sentTo('/own', mine), sentTo('/team', mine)];

    isFailing = true;
    await mine.api('POST', '/links', { destination: DESTINATION });
    await until(() => sent().every((count) => count === 1), 'the first attempts');
    await deleteIt();
    isFailing = false;
    clock.use({ now: () => Date.now() + DAY_MS });
    await neighbour.api('POST', '/links', { destination: DESTINATION });
    await until(() => sentTo('/team', neighbour) === 1, 'the event of the other project');
    // By now the attempts are overdue, and the worker of the team's webhook has passed them.
    expect(sent()).to.deep.equal([1, 1]);
    await restoreIt();
    await until(() => sent().every((count) => count === 2), 'the held deliveries');
  });

  it('can be undone until its time is over, in survival mode too', async () => {
    await mine.api('POST', '/links', { destination: DESTINATION });
    const before = await Project.findByPk(mine.projectId, { raw: true });
    await deleteIt();
    await ask('mutation ($id: ID!) { enterSurvivalMode(teamId: $id, reason: "a move") { id } }', { id: mine.teamId });
    for (const reply of [await restoreIt(), await restoreIt()]) {
      expect(reply.data.restoreProject).to.deep.equal({ id: mine.projectId, deletionAt: null });
    }
    expect(await Project.findByPk(mine.projectId, { raw: true })).to.deep.equal(before);
    expect((await mine.api('GET', '/links')).body.data).to.have.length(1);
    expect((await ask(DELETED, { teamId: mine.teamId })).data.deletedProjects.data).to.deep.equal([]);

    await ask('mutation ($id: ID!) { leaveSurvivalMode(teamId: $id) { id } }', { id: mine.teamId });
    await deleteIt();
    clock.use({ now: () => Date.now() + 7 * DAY_MS + 1000 });
    expect(codeOf(await restoreIt())).to.equal('not_found');
    expect((await ask(DELETED, { teamId: mine.teamId })).data.deletedProjects.data).to.deep.equal([]);
  });

  it('is mailed to owners and admins, with who did it and where it can be undone', async () => {
    const person = await theOwner(world);
    const query = 'query ($teamId: ID!) { projects(teamId: $teamId) { data { id name } } }';
    const [project] = (await person.ask(query, { teamId: person.teamId })).data.projects.data;
    await person.ask(DELETE, { id: project.id, password: world.password });
    const mails = (await mailsTo(person.email)).filter(({ kind }) => kind === 'project_deleted');
    expect(mails).to.have.length(1);
    expect(mails[0]?.text)
      .to.include(person.email)
      .and.include(project.name)
      .and.include(`/team?team=${person.teamId}`);
    await person.ask(RESTORE, { id: project.id });
  });
});
