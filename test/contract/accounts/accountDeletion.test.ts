// stores: each
import { expect } from 'chai';
import { purgeDeletedAccounts } from '../../../src/accounts/purgeDeletedAccounts.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { Alert } from '../../../src/models/Alert.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { Mail } from '../../../src/models/Mail.ts';
import { Membership } from '../../../src/models/Membership.ts';
import { Session } from '../../../src/models/Session.ts';
import { User } from '../../../src/models/User.ts';
import { apiOf } from '../../support/api.ts';
import { graphql } from '../../support/graphql.ts';
import {
  codeOf,
  MANY_PEOPLE,
  mailedToken,
  mailsTo,
  newEmail,
  newMember,
  newOwner,
  newPerson,
  newSession,
  PASSWORD,
  type SignedIn,
  teamOf,
  theOwner,
  trySignIn,
  trySignUp,
} from '../../support/people.ts';
import { rowsWith } from '../../support/rowsWith.ts';
import { stopClock } from '../../support/stopClock.ts';
import { useOwnWorld, useSettings } from '../../support/world.ts';

const TEAMS = 'teams { id name role isSoleOwner isOnlyMember keys }';
const CONTENTS = `{ accountContents { ${TEAMS} } }`;
const DELETE = `mutation ($password: String!) { deleteAccount(password: $password) { deletionAt ${TEAMS} } }`;
const RESTORE = 'mutation { restoreAccount { id email deletionAt } }';
const ME = '{ me { id email deletionAt } }';
const CREATE_KEY = 'mutation ($input: CreateKeyInput!) { createKey(input: $input) { id key } }';
const CHANGE_EMAIL =
  'mutation ($email: String!, $password: String!) { changeEmail(email: $email, password: $password) { sentTo } }';
const DAY = 86_400;

describe('a deleted account', () => {
  const world = useOwnWorld({ ...MANY_PEOPLE, SIGN_UP: 'open', NEW_ACCOUNT_DAYS: '0' });
  let owner: SignedIn;
  let teamId: string;
  let projectId: string;

  beforeEach(async () => {
    ({ owner, teamId, projectId } = await newOwner(world));
  });
  afterEach(() => clock.reset());

  const remove = (of: SignedIn, password = PASSWORD) => of.ask(DELETE, { password });
  const back = (of: SignedIn) => newSession(world, { email: of.email });
  const makeKey = async (by: SignedIn) => {
    const { data } = await by.ask(CREATE_KEY, { input: { projectId, name: 'Mine' } });
    return apiOf(world.origin, data.createKey.key);
  };
  const membershipOf = ({ userId }: SignedIn) => Membership.findOne({ where: { teamId, userId } });
  const entriesOf = async ({ userId }: SignedIn, action: string) =>
    (await AuditEntry.findAll({ where: { teamId, subjectId: userId, action } })).map(({ details }) => details);

  it('leaves its teams, ends every session and its keys as a member who leaves; what it made stays', async () => {
    const time = stopClock();
    const admin = await newMember(world, owner, teamId, 'admin');
    const other = await back(admin);
    const api = await makeKey(admin);
    const link = (
      await admin.ask('mutation ($input: CreateLinkInput!) { createLink(input: $input) { id } }', {
        input: { projectId, destination: 'https://www.example.com/' },
      })
    ).data.createLink.id;
    const team = { id: teamId, name: 'Engines', role: 'admin', isSoleOwner: false, isOnlyMember: false, keys: 1 };
    expect((await admin.ask(CONTENTS)).data.accountContents.teams).to.deep.equal([team]);
    const { data } = await remove(admin);
    const deletionAt = new Date(time.nowMs + 7 * DAY * 1000).toISOString();
    expect(data.deleteAccount).to.deep.equal({ deletionAt, teams: [team] });
    for (const { ask } of [admin, other]) expect((await ask(ME)).data.me).to.equal(null);
    expect(await membershipOf(admin)).to.equal(null);
    expect(await entriesOf(admin, 'member.removed')).to.deep.equal([{ role: 'admin', reason: 'account_deleted' }]);
    expect((await Alert.findAll({ where: { teamId, kind: 'security' } }))[0]?.title).to.include(admin.email);
    expect((await api('GET', '/links')).status, 'a day to replace it').to.equal(200);
    time.move(DAY);
    expect((await api('GET', '/links')).status).to.equal(401);
    const { data: links } = await owner.ask(
      'query ($projectId: ID!) { links(projectId: $projectId) { data { id } } }',
      {
        projectId,
      },
    );
    expect(links.links.data).to.deep.equal([{ id: link }]);
  });

  it('is told so by mail, with how to undo it', async () => {
    const admin = await newMember(world, owner, teamId, 'admin');
    const time = stopClock();
    await remove(admin);
    const mail = (await mailsTo(admin.email)).at(-1);
    expect(mail?.kind).to.equal('account_deleted');
    const until = new Date(time.nowMs + 7 * DAY * 1000).toISOString().slice(0, 16).replace('T', ' ');
    expect(mail?.text).to.include(until).and.include('/app/sign-in').and.include('sign in with your email address');
  });

  it('can sign in, and then only be restored or sign out', async () => {
    const admin = await newMember(world, owner, teamId, 'admin');
    await remove(admin);
    expect(codeOf(await trySignIn(world, { email: admin.email, password: 'wrong' }))).to.equal('invalid_credentials');
    const { ask } = await back(admin);
    expect((await ask(ME)).data.me.deletionAt).to.be.a('string');
    const refused = [
      '{ teams { data { id } } }',
      '{ sessions { data { id } } }',
      CONTENTS,
      `{ team(id: "${teamId}") { id } }`,
      `{ links(projectId: "${projectId}") { data { id } } }`,
      'mutation { createTeam(name: "X") { id } }',
      'mutation { signOutEverywhere }',
      'mutation { cancelEmailChange { id } }',
      'mutation { acceptInvitation(token: "x") { id } }',
      `mutation { deleteAccount(password: "${PASSWORD}") { deletionAt } }`,
      `mutation { changePassword(currentPassword: "${PASSWORD}", password: "another password") }`,
      `mutation { changeEmail(email: "a@example.com", password: "${PASSWORD}") { email } }`,
    ];
    for (const query of refused) expect(codeOf(await ask(query)), query).to.equal('account_deleted');
    expect((await ask('mutation { signOut }')).data.signOut).to.equal(true);
    expect((await ask(ME)).data.me).to.equal(null);
  });

  it('is restored with its roles, preferences and keys that have not ended', async () => {
    const time = stopClock();
    const admin = await newMember(world, owner, teamId, 'admin');
    await admin.ask(
      'mutation ($teamId: ID!, $kinds: [AlertKind!]) { setMailPreferences(teamId: $teamId, kinds: $kinds) { kinds { kind on } } }',
      { teamId, kinds: ['billing'] },
    );
    expect((await membershipOf(admin))?.mailKinds).to.deep.equal(['billing']);
    const joined = (await membershipOf(admin))?.createdAt;
    const api = await makeKey(admin);
    const leaving = (await remove(admin)).data;
    expect(leaving.deleteAccount.teams[0].keys).to.equal(1);
    const made = (await api('POST', '/keys', { name: 'Made since' })).body;
    time.move(DAY - 1);
    const session = await back(admin);
    const { data } = await session.ask(RESTORE);
    expect(data.restoreAccount).to.deep.equal({ id: admin.userId, email: admin.email, deletionAt: null });
    const membership = await membershipOf(admin);
    expect(membership?.role).to.equal('admin');
    expect(membership?.mailKinds).to.deep.equal(['billing']);
    expect(membership?.createdAt).to.deep.equal(joined);
    expect(await entriesOf(admin, 'member.joined')).to.deep.include({ role: 'admin', reason: 'account_restored' });
    time.move(2);
    for (const each of [api, apiOf(world.origin, made.key)]) expect((await each('GET', '/links')).status).to.equal(200);
    expect((await mailsTo(admin.email)).at(-1)?.kind).to.equal('account_restored');
    expect(codeOf(await session.ask(RESTORE)), 'a second time').to.equal('conflict');
    expect((await session.ask('{ teams { data { id } } }')).data.teams.data).to.deep.equal([{ id: teamId }]);
    expect(await User.findByPk(admin.userId)).to.include({ leftTeams: null });
  });

  it('gets back no key that has ended, that somebody else kept, or that ends for another reason', async () => {
    const time = stopClock();
    const [admin, keeper] = [
      await newMember(world, owner, teamId, 'admin'),
      await newMember(world, owner, teamId, 'owner'),
    ];
    const [ended, kept] = [await makeKey(admin), await makeKey(admin)];
    const id = (await kept('GET', '/keys')).body.data[0].id;
    await remove(admin);
    expect(codeOf(await keeper.ask('mutation ($id: ID!) { keepKey(id: $id) { id } }', { id }))).to.equal(undefined);
    await remove(keeper);
    time.move(DAY + 1);
    expect((await ended('GET', '/links')).status).to.equal(401);
    await (await back(admin)).ask(RESTORE);
    for (const key of [ended, kept]) expect((await key('GET', '/links')).status).to.equal(401);
  });

  it('comes back without a team that is gone', async () => {
    const admin = await newMember(world, owner, teamId, 'admin');
    await remove(admin);
    const user = await User.findByPk(admin.userId, { rejectOnEmpty: true });
    const gone = (user.leftTeams ?? []).map((left) => ({ ...left, teamId: 'team_that_is_gone' }));
    await inTransaction((transaction) => user.update({ leftTeams: gone }, { transaction }));
    const session = await back(admin);
    expect(codeOf(await session.ask(RESTORE))).to.equal(undefined);
    expect((await session.ask('{ teams { data { id } } }')).data.teams.data).to.deep.equal([]);
  });

  it('is refused for the only owner of a team with others, naming the team', async () => {
    await newMember(world, owner, teamId, 'admin');
    expect((await owner.ask(CONTENTS)).data.accountContents.teams[0]).to.include({
      isSoleOwner: true,
      isOnlyMember: false,
    });
    const reply = await remove(owner);
    expect(codeOf(reply)).to.equal('conflict');
    expect(reply.errors?.[0]?.message).to.equal(
      'You are the only owner of the team “Engines”. Make somebody else the owner, or delete the team first.',
    );
    expect((await owner.ask(ME)).data.me.deletionAt).to.equal(null);
    await newMember(world, owner, teamId, 'owner');
    expect(codeOf(await remove(owner))).to.equal(undefined);
  });

  it('is refused with a wrong password, without a session and before the e-mail is confirmed', async () => {
    const admin = await newMember(world, owner, teamId, 'admin');
    expect(codeOf(await remove(admin, 'wrong'))).to.equal('invalid_credentials');
    expect(codeOf(await graphql(world.origin, DELETE, { password: PASSWORD }))).to.equal('not_signed_in');
    expect(codeOf(await graphql(world.origin, RESTORE))).to.equal('not_signed_in');
    expect(codeOf(await admin.ask(RESTORE))).to.equal('conflict');
    const { cookie } = await trySignUp(world, {});
    expect(codeOf(await graphql(world.origin, DELETE, { password: PASSWORD }, cookie))).to.equal('email_unconfirmed');
    expect((await admin.ask(ME)).data.me.deletionAt).to.equal(null);
  });

  it('leaves an owner when two owners go at once', async () => {
    const second = await newMember(world, owner, teamId, 'owner');
    await newMember(world, owner, teamId, 'viewer');
    const codes = (await Promise.all([remove(owner), remove(second)])).map(codeOf);
    expect(codes).to.have.members([undefined, 'conflict']);
    expect(await Membership.count({ where: { teamId, role: 'owner' } })).to.equal(1);
  });

  it('joins no team in the moment in which it is deleted', async () => {
    const admin = await newMember(world, owner, teamId, 'admin');
    const another = await newPerson(world);
    const query = 'mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { url } }';
    const input = { teamId: await teamOf(another), email: admin.email, role: 'viewer' };
    await another.ask(query, { input });
    const token = await mailedToken(admin.email, 'invitation');
    const accept = admin.ask('mutation ($token: String!) { acceptInvitation(token: $token) { id } }', { token });
    await Promise.all([remove(admin), accept]);
    const user = await User.findByPk(admin.userId, { rejectOnEmpty: true });
    if (user.deletionAt) expect(await Membership.count({ where: { userId: admin.userId } })).to.equal(0);
  });

  it('keeps its address until it is deleted for good, with everything that is its own', async () => {
    const time = stopClock();
    const admin = await newMember(world, owner, teamId, 'admin');
    await admin.ask(CHANGE_EMAIL, { email: newEmail(), password: PASSWORD });
    await remove(admin);
    await back(admin);
    await trySignUp(world, { email: admin.email, password: 'of a stranger' });
    expect((await mailsTo(admin.email)).at(-1)?.kind).to.equal('account_exists');
    time.move(7 * DAY - 1);
    await purgeDeletedAccounts(1000);
    const late = await back(admin);
    expect(await User.count({ where: { id: admin.userId } })).to.equal(1);
    time.move(1);
    expect(codeOf(await late.ask(RESTORE)), 'too late').to.equal('conflict');
    const ofAdmin = { address: admin.email };
    await inTransaction((transaction) => Mail.update({ status: 'sent' }, { where: ofAdmin, transaction }));
    expect(await purgeDeletedAccounts(1)).to.equal(true);
    while (await purgeDeletedAccounts(1000));
    expect(await User.count({ where: { id: admin.userId } })).to.equal(0);
    expect(await Session.count({ where: { userId: admin.userId } })).to.equal(0);
    const left = Object.keys(await rowsWith(admin.userId, admin.email));
    const ofTeam = ['alerts', 'api_keys', 'audit_entries', 'events', 'invitations'];
    // The stranger's account waits for the same address.
    expect(left.filter((table) => !ofTeam.includes(table) && table !== 'users')).to.deep.equal([]);
    const { data } = await owner.ask(
      'query ($teamId: ID!) { auditLog(teamId: $teamId, action: "member.removed") { data { actor { id name } } } }',
      { teamId },
    );
    expect(data.auditLog.data).to.deep.equal([{ actor: { id: admin.userId, name: null } }]);
    expect((await newPerson(world, { email: admin.email })).userId).to.not.equal(admin.userId);
  });

  describe('with DELETION_DAYS=0', () => {
    useSettings({ deletionDays: 0 });

    it('is gone at once', async () => {
      const admin = await newMember(world, owner, teamId, 'admin');
      await remove(admin);
      const { text } = (await mailsTo(admin.email)).at(-1) ?? { text: '' };
      expect(text).to.include('deleted for good').and.not.include('restore');
      await purgeDeletedAccounts(1000);
      expect(codeOf(await trySignIn(world, { email: admin.email }))).to.equal('invalid_credentials');
    });
  });
});

describe('the last account of an installation', () => {
  const world = useOwnWorld({ SIGN_UP: 'open', SIGN_UPS_PER_HOUR: '1000' });

  it('stays, and the first one goes when another owns its team', async () => {
    const owner = await theOwner(world);
    const password = world.password;
    const reply = await owner.ask(DELETE, { password });
    expect(codeOf(reply)).to.equal('conflict');
    expect(reply.errors?.[0]?.message).to.include('the last account of the installation');
    const second = await newMember(world, owner, owner.teamId, 'owner');
    const codes = await Promise.all([owner.ask(DELETE, { password }), second.ask(DELETE, { password: PASSWORD })]);
    expect(codes.map(codeOf)).to.have.members([undefined, 'conflict']);
    expect(await User.count({ where: { deletionAt: null } })).to.equal(1);
  });
});
