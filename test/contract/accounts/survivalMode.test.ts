// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Kind } from 'graphql';
import { bind } from '../../../facade/bind.ts';
import { compileRoute } from '../../../facade/route.ts';
import { ROUTES } from '../../../facade/routes/index.ts';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import type { KeyPrincipal } from '../../../src/access/principal.ts';
import { expectError } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { bodyOf, makeThings, type Things } from '../../support/operations.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { firstTenant, makeTenant, memberSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { joinWorld, type World } from '../../support/world.ts';

const REASON = 'we move to another house';
const DESTINATION = 'https://www.example.com/';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const ENTER =
  'mutation ($teamId: ID!, $reason: String!) { enterSurvivalMode(teamId: $teamId, reason: $reason) { status readOnlyReason } }';
const LEAVE = 'mutation ($teamId: ID!) { leaveSurvivalMode(teamId: $teamId) { status readOnlyReason } }';

const schema = buildGraphqlSchema();
const MUTATIONS = Object.keys(schema.getMutationType()?.getFields() ?? {});

/** What apps tell, by their mutations: no session may, and no mode holds them up. */
const BY_APPS = ['recordOpen', 'recordEvents'];
/** What people do about themselves, or to be in a team or not. */
const BY_PEOPLE = `signIn signOut signUp confirmEmail resendConfirmation requestPasswordReset resetPassword changePassword endSession signOutEverywhere
  beginSecondFactor confirmSecondFactor disableSecondFactor newRecoveryCodes setMailPreferences createTeam leaveTeam
  changeEmail confirmEmailChange undoEmailChange undoSecondFactor cancelEmailChange deleteAccount restoreAccount`;
/** Those that need an invitation are refused in test/schema/invitations.test.ts. */
const OF_INVITATIONS = ['acceptInvitation', 'revokeInvitation'];
/** What goes on: it is about a person, about the mode itself, or what apps tell. */
const GOES_ON = [
  ...BY_PEOPLE.split(/\s+/),
  'enterSurvivalMode',
  'leaveSurvivalMode',
  'restoreProject',
  'restoreTeam',
  ...BY_APPS,
];

/** The rows of REST that change something, by their mutation; a file is not sent through /graphql. */
const ROWS = new Map(
  ROUTES.filter(({ takes }) => takes !== 'csv')
    .map((route) => compileRoute(route, schema))
    .filter(({ operation }) => operation.operation === 'mutation')
    .map((row) => {
      const [field] = row.operation.selectionSet.selections;
      return [field?.kind === Kind.FIELD ? field.name.value : '', row];
    }),
);
const BY_FILE = ROUTES.filter(({ takes }) => takes === 'csv').map(({ id }) => id);

/** How to ask for what REST does not have. */
const OTHERS: Record<string, (tenant: Tenant, things: Things) => [query: string, variables: Record<string, unknown>]> =
  {
    createProject: ({ teamId }) => [
      'mutation ($input: CreateProjectInput!) { createProject(input: $input) { id } }',
      { input: { teamId, name: 'New' } },
    ],
    createInvitation: ({ teamId }) => [
      'mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { id } }',
      { input: { teamId, email: 'ada@example.com', role: 'viewer' } },
    ],
    changeMemberRole: ({ teamId }) => [
      'mutation ($id: ID!) { changeMemberRole(teamId: $id, userId: "usr_x", role: viewer) { userId } }',
      { id: teamId },
    ],
    removeMember: ({ teamId }) => [
      'mutation ($id: ID!) { removeMember(teamId: $id, userId: "usr_x") { keys { id } } }',
      { id: teamId },
    ],
    disableWebhooksOfMember: ({ teamId }) => [
      'mutation ($id: ID!) { disableWebhooksOfMember(teamId: $id, userId: "usr_x") { id } }',
      { id: teamId },
    ],
    keepKey: (_, { keys }) => ['mutation ($id: ID!) { keepKey(id: $id) { id } }', { id: keys }],
    deleteProject: ({ projectId }) => [
      'mutation ($id: ID!) { deleteProject(id: $id, password: "any") { id } }',
      { id: projectId },
    ],
    deleteTeam: ({ teamId }) => ['mutation ($id: ID!) { deleteTeam(id: $id, password: "any") { id } }', { id: teamId }],
    updateTeam: ({ teamId }) => ['mutation ($id: ID!) { updateTeam(id: $id, name: "New") { id } }', { id: teamId }],
    resolveAlert: (_, { alerts }) => ['mutation ($id: ID!) { resolveAlert(id: $id) { id } }', { id: alerts }],
  };

describe('survival mode', () => {
  let world: World;
  let receiver: Receiver;
  let mine: Tenant;
  let owner: string;

  before(async () => {
    [world, receiver] = await Promise.all([joinWorld(), startReceiver()]);
  });
  after(() => Promise.all([world.stop(), receiver.close()]));

  const ask = (query: string, variables: Record<string, unknown>, cookie: string | undefined = owner) =>
    graphql(world.origin, query, variables, cookie);
  const enter = (reason = REASON, cookie = owner) => ask(ENTER, { teamId: mine.teamId, reason }, cookie);
  const leave = (cookie = owner) => ask(LEAVE, { teamId: mine.teamId }, cookie);

  const newTeam = async () => {
    mine = await makeTenant(world);
    owner = await memberSession(world, mine.teamId, 'owner');
  };

  describe('refuses with the reason', () => {
    let things: Things;

    before(async () => {
      await newTeam();
      things = await makeThings(mine);
      expect((await enter()).data.enterSurvivalMode).to.deep.equal({ status: 'read_only', readOnlyReason: REASON });
    });

    it('writes through REST', async () => {
      const reply = await mine.api('POST', '/links', { destination: DESTINATION });
      expectError(reply, 403, 'team_read_only');
      expect(reply.body.error.message).to.include(REASON);
    });

    for (const name of MUTATIONS.filter(
      (mutation) => ![...GOES_ON, ...OF_INVITATIONS, ...BY_FILE].includes(mutation),
    )) {
      it(`the mutation ${name}`, async () => {
        const { errors } = await ask(...(await questionOf(name)));
        expect(errors?.[0]?.extensions.code, errors?.[0]?.message).to.equal('team_read_only');
        expect(errors?.[0]?.message).to.include(REASON);
      });
    }

    const questionOf = async (name: string): Promise<[string, Record<string, unknown>]> => {
      const row = ROWS.get(name);
      const other = OTHERS[name];
      if (other) return other(mine, things);
      if (!row) throw new Error(`Say in OTHERS how ${name} is asked for, or in GOES_ON that it goes on`);
      const thing = things[row.path.split('/')[1] as keyof Things];
      const path = Object.fromEntries([...row.pathVariables.keys()].map((variable) => [variable, thing]));
      const key = { projectId: mine.projectId } as KeyPrincipal;
      const sent = { path, query: new URLSearchParams(), body: bodyOf(row) };
      return [row.document, bind(row, sent, key).variables];
    };
  });

  it('lets reads, redirects, counting, apps, deliveries, stored answers, signing in and out go on', async () => {
    await newTeam();
    const { api } = mine;
    await api('POST', '/webhooks', { url: receiver.url });
    const once = { headers: { 'Idempotency-Key': 'before' } };
    const { body: link } = await api('POST', '/links', { destination: DESTINATION }, once);
    await enter();
    expect((await api('GET', '/team')).body).to.include({ status: 'read_only', read_only_reason: REASON });
    const path = `${world.origin}/${link.slug}`;
    const followed = await fetch(path, { redirect: 'manual', headers: { 'User-Agent': AGENT } });
    expect(followed.status).to.equal(302);
    await until(async () => (await api('GET', `/links/${link.id}`)).body.clicks === 1, 'the click to be counted');
    const app = await mine.sdk();
    const install_id = randomUUID();
    const open = { install_id, first_open: true, platform: 'ios', url: link.short_url };
    const resolved = await app('POST', '/resolve', { url: link.short_url });
    for (const reply of [resolved, await app('POST', '/open', open)]) {
      expect([reply.status, reply.body.link?.id]).to.deep.equal([200, link.id]);
    }
    expect((await app('POST', '/event', { install_id, name: 'purchase' })).status).to.equal(202);
    for (const type of ['link.created', 'link.clicked', 'app.installed', 'app.opened', 'app.event']) {
      await receiver.waitFor(({ event }) => event.type === type && event.data.link.id === link.id, type);
    }
    const repeated = await api('POST', '/links', { destination: DESTINATION }, once);
    expect([repeated.status, repeated.body]).to.deep.equal([201, link]);
    const viewer = await memberSession(world, mine.teamId, 'viewer');
    expect((await ask('mutation { signOut }', {}, viewer)).data.signOut).to.equal(true);
  });

  it('ends when it is left, and everything is as before; the last reason counts meanwhile', async () => {
    await newTeam();
    await enter();
    expect((await enter(' another reason ')).data.enterSurvivalMode.readOnlyReason).to.equal('another reason');
    expect((await leave()).data.leaveSurvivalMode).to.deep.equal({ status: 'active', readOnlyReason: null });
    expect((await leave()).errors).to.equal(undefined);
    expect((await mine.api('POST', '/links', { destination: DESTINATION })).status).to.equal(201);
    expect((await mine.api('GET', '/team')).body).to.include({ status: 'active', read_only_reason: null });
  });

  it('is for owners alone, and touches no other team', async () => {
    await newTeam();
    const first = await firstTenant(world);
    for (const role of ['admin', 'member', 'viewer'] as const) {
      const cookie = await memberSession(world, mine.teamId, role);
      for (const reply of [await enter(REASON, cookie), await leave(cookie)]) {
        expect(reply.errors?.[0]?.extensions.code, role).to.equal('insufficient_scope');
      }
    }
    const stranger = await memberSession(world, first.teamId, 'owner');
    expect((await enter(REASON, stranger)).errors?.[0]?.extensions.code).to.equal('not_found');
    expect((await enter(REASON, 'session=x')).errors?.[0]?.extensions.code).to.equal('not_signed_in');
    expect((await mine.api('GET', '/team')).body.status).to.equal('active');
    await enter();
    expect((await first.api('POST', '/links', { destination: DESTINATION })).status).to.equal(201);
  });

  it('needs a reason', async () => {
    await newTeam();
    for (const reason of ['', '  ', 'x'.repeat(501)]) {
      expect((await enter(reason)).errors?.[0]?.extensions.code).to.equal('validation_failed');
    }
  });
});
