// stores: any
import { expect } from 'chai';
import { Alert } from '../../../src/models/Alert.ts';
import { apiOf } from '../../support/api.ts';
import {
  codeOf,
  MANY_PEOPLE,
  newMember,
  newOwner,
  newPerson,
  PASSWORD,
  projectOf,
  type SignedIn,
  teamOf,
} from '../../support/people.ts';
import { useWorld } from '../../support/world.ts';

const CREATE =
  'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id createdBy urlSetBy projectId } }';
const UPDATE =
  'mutation ($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { createdBy urlSetBy } }';
const REMOVE =
  'mutation ($teamId: ID!, $userId: ID!) { removeMember(teamId: $teamId, userId: $userId) { keys { id } webhooks { id url status scope { projectId } } } }';
const LEAVE = 'mutation ($teamId: ID!) { leaveTeam(teamId: $teamId) { webhooks { id } } }';
const DISABLE =
  'mutation ($teamId: ID!, $userId: ID!) { disableWebhooksOfMember(teamId: $teamId, userId: $userId) { id status disabledReason } }';
const CREATE_KEY = 'mutation ($input: CreateKeyInput!) { createKey(input: $input) { id key } }';
const URL_ = 'http://127.0.0.1:1025/hook';

describe('webhooks of a member who leaves', () => {
  const world = useWorld({ ...MANY_PEOPLE, SIGN_UP: 'open' });
  let owner: SignedIn;
  let teamId: string;
  let projectId: string;

  beforeEach(async () => {
    ({ owner, teamId, projectId } = await newOwner(world));
  });

  const create = async (by: SignedIn, input: Record<string, unknown> = { projectId }) => {
    const reply = await by.ask(CREATE, { input: { url: URL_, ...input } });
    expect(reply.errors, JSON.stringify(reply.errors)).to.equal(undefined);
    return reply.data.createWebhook;
  };
  const remove = async ({ userId }: SignedIn) => (await owner.ask(REMOVE, { teamId, userId })).data.removeMember;
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
  const alerts = () => Alert.findAll({ where: { teamId, kind: 'security' } });
  const makeKey = async (by: SignedIn) => {
    const { data } = await by.ask(CREATE_KEY, { input: { projectId, name: 'Mine' } });
    return { id: data.createKey.id as string, api: apiOf(world.origin, data.createKey.key) };
  };

  it('are named by the removal and one alert, with the keys: made by the person, by their keys, or pointed elsewhere', async () => {
    const admin = await newMember(world, owner, teamId, 'admin');
    const key = await makeKey(admin);
    const own = await create(admin);
    const wide = await create(admin, { teamId });
    expect(own).to.include({ createdBy: admin.userId, urlSetBy: admin.userId });
    const byKey = (await key.api('POST', '/webhooks', { url: `${URL_}/key` })).body;
    const moved = await create(owner);
    const { data } = await admin.ask(UPDATE, { id: moved.id, input: { url: `${URL_}/moved` } });
    expect(data.updateWebhook).to.deep.equal({ createdBy: owner.userId, urlSetBy: admin.userId });
    const others = await create(owner);
    const disabled = await create(admin);
    await admin.ask(`mutation { disableWebhook(id: "${disabled.id}") { id } }`);
    const ended = await remove(admin);
    expect(idsOf(ended.webhooks)).to.deep.equal(idsOf([own, wide, byKey, moved]));
    expect(idsOf(ended.keys)).to.deep.equal([key.id]);
    expect(ended.webhooks[0]).to.include({ status: 'enabled' });
    const [alert, ...more] = await alerts();
    expect(more).to.deep.equal([]);
    expect(alert?.title).to.include('Keys of').and.include('webhooks');
    for (const url of [URL_, `${URL_}/key`, `${URL_}/moved`]) expect(alert?.message).to.include(url);
    const named = alert?.details as { webhooks: { id: string }[] } | undefined;
    expect(idsOf(named?.webhooks ?? [])).to.deep.equal(idsOf(ended.webhooks));
    expect(idsOf(ended.webhooks)).to.not.include(others.id);
  });

  const WAYS: [way: string, leave: (of: SignedIn) => Promise<{ data: unknown }>][] = [
    ['is removed', (of) => owner.ask(REMOVE, { teamId, userId: of.userId })],
    ['leaves', (of) => of.ask(LEAVE, { teamId })],
    [
      'deletes their account',
      (of) =>
        of.ask('mutation ($password: String!) { deleteAccount(password: $password) { teams { webhooks keys } } }', {
          password: PASSWORD,
        }),
    ],
  ];
  for (const [way, leave] of WAYS) {
    it(`are named in an alert when a member ${way}, and are disabled by one call`, async () => {
      const member = await newMember(world, owner, teamId, 'member');
      const hook = await create(member);
      const { data } = await leave(member);
      expect(JSON.stringify(data)).to.include(way === 'deletes their account' ? '"webhooks":1' : hook.id);
      const [alert] = await alerts();
      expect(alert?.title).to.equal(`Webhooks of ${member.email}, who left the team, still send events`);
      const disabled = await owner.ask(DISABLE, { teamId, userId: member.userId });
      const off = { id: hook.id, status: 'disabled', disabledReason: 'manual' };
      expect(disabled.data.disableWebhooksOfMember).to.deep.equal([off]);
      const again = await owner.ask(DISABLE, { teamId, userId: member.userId });
      expect(again.data.disableWebhooksOfMember).to.deep.equal([]);
    });
  }

  it('are disabled by owners and admins only', async () => {
    const [member, viewer] = [
      await newMember(world, owner, teamId, 'member'),
      await newMember(world, owner, teamId, 'viewer'),
    ];
    const variables = { teamId, userId: owner.userId };
    for (const by of [member, viewer]) expect(codeOf(await by.ask(DISABLE, variables))).to.equal('insufficient_scope');
    expect(codeOf(await (await newPerson(world)).ask(DISABLE, variables))).to.equal('not_found');
  });

  it('are named, too, when a lower role could not make them', async () => {
    const admin = await newMember(world, owner, teamId, 'admin');
    await create(admin);
    await create(admin, { teamId, url: `${URL_}/wide` });
    const change = (role: string) =>
      owner.ask(
        'mutation ($teamId: ID!, $userId: ID!, $role: Role!) { changeMemberRole(teamId: $teamId, userId: $userId, role: $role) { role } }',
        { teamId, userId: admin.userId, role },
      );
    await change('member');
    const [lower] = await alerts();
    expect(lower?.message).to.include(`${URL_}/wide`).and.not.include(`${URL_},`);
    await change('viewer');
    expect((await alerts()).some(({ message }) => message.includes(`: ${URL_}, ${URL_}/wide`))).to.equal(true);
  });

  it('cannot be made, moved or enabled by a key that is about to end', async () => {
    const admin = await newMember(world, owner, teamId, 'admin');
    const { api } = await makeKey(admin);
    const hook = await create(owner);
    await owner.ask(`mutation { disableWebhook(id: "${hook.id}") { id } }`);
    await remove(admin);
    const calls = [
      await api('POST', '/webhooks', { url: URL_ }),
      await api('PATCH', `/webhooks/${hook.id}`, { url: `${URL_}/evil` }),
      await api('POST', `/webhooks/${hook.id}/enable`),
    ];
    for (const { status, body } of calls) expect([status, body.error.code]).to.deep.equal([403, 'insufficient_scope']);
    expect((await api('PATCH', `/webhooks/${hook.id}`, { description: 'Mine' })).status).to.equal(200);
    expect((await api('POST', `/webhooks/${hook.id}/disable`)).status).to.equal(200);
  });
});

describe('webhooks of the whole team', () => {
  const world = useWorld({ ...MANY_PEOPLE, SIGN_UP: 'open' });

  it('are made, changed and shown with their secret by owners and admins only', async () => {
    const owner = await newPerson(world, { teamName: 'Engines' });
    const teamId = await teamOf(owner);
    const projectId = await projectOf(owner);
    const [admin, member] = [
      await newMember(world, owner, teamId, 'admin'),
      await newMember(world, owner, teamId, 'member'),
    ];
    const input = { teamId, url: URL_ };
    const { id } = (await admin.ask(CREATE, { input })).data.createWebhook;
    const own = (await member.ask(CREATE, { input: { projectId, url: URL_ } })).data.createWebhook.id;
    const refused: [string, Record<string, unknown>?][] = [
      [CREATE, { input }],
      [UPDATE, { id: own, input: { scope: null } }],
      [UPDATE, { id, input: { url: `${URL_}/evil` } }],
      [UPDATE, { id, input: { scope: { projectId } } }],
      [`mutation { disableWebhook(id: "${id}") { id } }`],
      [`mutation { enableWebhook(id: "${id}") { id } }`],
      [`mutation { deleteWebhook(id: "${id}") }`],
      [`{ webhookSecret(id: "${id}") { secret } }`],
      [`mutation { rotateWebhookSecret(id: "${id}", input: {}) { secret } }`],
      [`mutation { testWebhook(id: "${id}", input: {type: "link.created"}) { id } }`],
    ];
    for (const [query, variables] of refused) {
      const reply = await member.ask(query, variables ?? {});
      expect(codeOf(reply), query).to.equal('insufficient_scope');
      expect(reply.errors?.[0]?.message).to.include('owners and admins');
    }
    const inTeam = { ...input, scope: { projectId } };
    expect((await member.ask(CREATE, { input: inTeam })).data.createWebhook.projectId).to.equal(projectId);
    expect((await member.ask(`{ webhook(id: "${id}") { id } }`)).data.webhook.id, 'is seen').to.equal(id);
    expect(codeOf(await admin.ask(UPDATE, { id, input: { url: `${URL_}/2` } }))).to.equal(undefined);
  });
});
