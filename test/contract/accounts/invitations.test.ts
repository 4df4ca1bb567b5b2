// stores: any
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { Membership, type Role } from '../../../src/models/Membership.ts';
import { graphql } from '../../support/graphql.ts';
import {
  codeOf,
  invite,
  MANY_PEOPLE,
  mailedToken,
  mailsTo,
  newEmail,
  newMember,
  newOwner,
  newPerson,
  type SignedIn,
  teamOf,
  tokenIn,
  trySignUp,
} from '../../support/people.ts';
import { rowsWith } from '../../support/rowsWith.ts';
import { stopClock } from '../../support/stopClock.ts';
import { useOwnWorld, useSettings, useWorld } from '../../support/world.ts';

const LIST =
  'query ($teamId: ID!, $limit: Int, $cursor: String) { invitations(teamId: $teamId, limit: $limit, cursor: $cursor) { data { id email role invitedBy inviterEmail } nextCursor } }';
const REVOKE = 'mutation ($id: ID!) { revokeInvitation(id: $id) }';
const ACCEPT = 'mutation ($token: String!) { acceptInvitation(token: $token) { id name } }';
const READ = 'query ($token: String!) { invitation(token: $token) { teamName email role expiresAt } }';
const SURVIVE = 'mutation ($teamId: ID!) { enterSurvivalMode(teamId: $teamId, reason: "we move") { id } }';

describe('invitations', () => {
  const world = useWorld(MANY_PEOPLE);
  useSettings({ newAccountDays: 0 });
  let owner: SignedIn;
  let teamId: string;

  beforeEach(async () => {
    ({ owner, teamId } = await newOwner(world));
  });
  afterEach(() => clock.reset());

  const made = async (email = newEmail(), role: Role = 'member') => {
    const { data } = await invite(owner, { teamId, email, role });
    return { ...data.createInvitation, token: tokenIn(data.createInvitation.url) };
  };
  const roleIn = async ({ userId }: SignedIn) => (await Membership.findOne({ where: { teamId, userId } }))?.role;

  it('are mailed, and shown to their maker without what proves that they were mailed; the token is stored nowhere', async () => {
    const email = newEmail();
    const { url, token, isMailed, ...shown } = await made(` ${email.toUpperCase()} `, 'viewer');
    expect(shown).to.include({ email, role: 'viewer' });
    expect(url).to.equal(`${world.origin.replace('127.0.0.1', 'localhost')}/app/invitation#token=${token}`);
    expect(isMailed).to.equal(true);
    const [mail, ...more] = await mailsTo(email);
    expect(more).to.deep.equal([]);
    expect(mail?.kind).to.equal('invitation');
    expect(mail?.text).to.include(url).and.include('Engines').and.include(owner.email);
    expect(token).to.have.length.of.at.least(40);
    expect(await rowsWith(token)).to.deep.equal({});
  });

  it('show whoever holds the token what they are for, and nobody else', async () => {
    const { token, email, expiresAt } = await made();
    const { data } = await graphql(world.origin, READ, { token });
    expect(data.invitation).to.deep.equal({ teamName: 'Engines', email, role: 'member', expiresAt });
    expect(codeOf(await graphql(world.origin, READ, { token: `${token}x` }))).to.equal('invalid_token');
  });

  it('let somebody sign up into the team, with the role', async () => {
    const { token, email } = await made(newEmail(), 'admin');
    const person = await newPerson(world, { email, invitationToken: token });
    expect(await teamOf(person)).to.equal(teamId);
    expect(await roleIn(person)).to.equal('admin');
    expect(codeOf(await graphql(world.origin, READ, { token }))).to.equal('invalid_token');
  });

  it('let somebody with an account join, who signs in instead of up', async () => {
    const person = await newPerson(world);
    const { token } = await made(person.email);
    const mailed = await mailedToken(person.email, 'invitation');
    const up = await trySignUp(world, { email: person.email, invitationToken: mailed });
    expect(codeOf(up)).to.equal('conflict');
    expect((await person.ask(ACCEPT, { token })).data.acceptInvitation).to.deep.equal({ id: teamId, name: 'Engines' });
    expect(await roleIn(person)).to.equal('member');
    expect((await person.ask('{ teams { data { id } } }')).data.teams.data).to.deep.include({ id: teamId });
    expect(codeOf(await person.ask(ACCEPT, { token })), 'used').to.equal('invalid_token');
  });

  it('are for the e-mail that was invited: others are told whose it is', async () => {
    const { token, email } = await made();
    const other = await newPerson(world);
    const refused = await other.ask(ACCEPT, { token });
    expect(codeOf(refused)).to.equal('wrong_account');
    expect(refused.errors?.[0]?.message).to.include(email).and.include(other.email);
    expect(codeOf(await trySignUp(world, { invitationToken: token }))).to.equal('wrong_account');
    expect(codeOf(await graphql(world.origin, ACCEPT, { token }))).to.equal('not_signed_in');
    expect(await newPerson(world, { email, invitationToken: token })).to.have.property('cookie');
  });

  it('are good once, also for two at once', async () => {
    const person = await newPerson(world);
    const { token } = await made(person.email);
    const replies = await Promise.all([1, 2, 3].map(() => person.ask(ACCEPT, { token })));
    expect(replies.map(codeOf).sort()).to.deep.equal(['invalid_token', 'invalid_token', undefined]);
    const { email } = await made();
    const second = await mailedToken(email, 'invitation');
    const ups = await Promise.all([1, 2].map(() => trySignUp(world, { email, invitationToken: second })));
    expect(ups.map(codeOf).filter((code) => code === undefined)).to.have.length(1);
    expect(await Membership.count({ where: { teamId } })).to.equal(3);
  });

  it('end after INVITATION_SECONDS, when they are taken back, and when the same person is invited anew', async () => {
    const late = await made();
    const time = stopClock();
    time.move(7 * 86_400 - 60);
    expect(codeOf(await graphql(world.origin, READ, late))).to.equal(undefined);
    time.move(120);
    expect(codeOf(await graphql(world.origin, READ, late))).to.equal('invalid_token');
    expect(codeOf(await trySignUp(world, { email: late.email, invitationToken: late.token }))).to.equal(
      'invalid_token',
    );
    clock.reset();
    const taken = await made();
    expect((await owner.ask(REVOKE, taken)).data.revokeInvitation).to.equal(true);
    expect(codeOf(await owner.ask(REVOKE, taken)), 'a second time').to.equal('not_found');
    const former = await made();
    const latter = await made(former.email);
    for (const { token } of [taken, former]) {
      expect(codeOf(await graphql(world.origin, READ, { token }))).to.equal('invalid_token');
    }
    expect(codeOf(await graphql(world.origin, READ, latter))).to.equal(undefined);
  });

  it('are listed while they wait, newest first', async () => {
    const [first, second] = [await made(), await made()];
    const gone = await made();
    await owner.ask(REVOKE, gone);
    const viewer = await newMember(world, owner, teamId, 'viewer');
    const { data } = await viewer.ask(LIST, { teamId, limit: 1 });
    expect(data.invitations.data).to.deep.equal([
      { id: second.id, email: second.email, role: 'member', invitedBy: owner.userId, inviterEmail: owner.email },
    ]);
    const next = await viewer.ask(LIST, { teamId, limit: 1, cursor: data.invitations.nextCursor });
    expect(next.data.invitations.data.map(({ id }: { id: string }) => id)).to.deep.equal([first.id]);
    expect(next.data.invitations.nextCursor).to.equal(null);
  });

  it('are refused for who is a member already', async () => {
    const member = await newMember(world, owner, teamId, 'member');
    expect(codeOf(await invite(owner, { teamId, email: member.email.toUpperCase() }))).to.equal('conflict');
  });

  const MAY_INVITE: Record<Role, Role[]> = {
    owner: ['owner', 'admin', 'member', 'viewer'],
    admin: ['admin', 'member', 'viewer'],
    member: [],
    viewer: [],
  };
  for (const [role, allowed] of Object.entries(MAY_INVITE) as [Role, Role[]][]) {
    it(`${role}: ${allowed.join(', ') || 'nobody'}`, async () => {
      const by = await newMember(world, owner, teamId, role);
      for (const other of MAY_INVITE.owner) {
        const code = codeOf(await invite(by, { teamId, email: newEmail(), role: other }));
        expect(code, other).to.equal(allowed.includes(other) ? undefined : 'insufficient_scope');
        const { id } = await made(newEmail(), other);
        expect(codeOf(await by.ask(REVOKE, { id })), `revoke ${other}`).to.equal(
          allowed.includes(other) ? undefined : 'insufficient_scope',
        );
      }
      expect(codeOf(await invite(by, { teamId, email: newEmail(), role: 'king' as Role }))).to.equal('BAD_USER_INPUT');
    });
  }

  it('of other teams are not there', async () => {
    const { id } = await made();
    const other = await newPerson(world);
    expect(codeOf(await other.ask(REVOKE, { id }))).to.equal('not_found');
    expect(codeOf(await other.ask(REVOKE, { id: newId('inv') }))).to.equal('not_found');
    expect(codeOf(await other.ask(LIST, { teamId }))).to.equal('not_found');
    expect(codeOf(await invite(other, { teamId, email: newEmail() }))).to.equal('not_found');
    expect(codeOf(await graphql(world.origin, LIST, { teamId }))).to.equal('not_signed_in');
  });

  it('wait for the end of survival mode', async () => {
    const person = await newPerson(world);
    const { token, id } = await made(person.email);
    await owner.ask(SURVIVE, { teamId });
    for (const reply of [
      await invite(owner, { teamId, email: newEmail() }),
      await owner.ask(REVOKE, { id }),
      await person.ask(ACCEPT, { token }),
    ]) {
      expect(codeOf(reply)).to.equal('team_read_only');
      expect(reply.errors?.[0]?.message).to.include('we move');
    }
    await owner.ask('mutation ($teamId: ID!) { leaveSurvivalMode(teamId: $teamId) { id } }', { teamId });
    expect(codeOf(await person.ask(ACCEPT, { token }))).to.equal(undefined);
  });

  it('go with the right of who sent them', async () => {
    const admin = await newMember(world, owner, teamId, 'admin');
    const reply = await invite(admin, { teamId, email: newEmail() });
    const token = tokenIn(reply.data.createInvitation.url);
    const remove =
      'mutation ($teamId: ID!, $userId: ID!) { removeMember(teamId: $teamId, userId: $userId) { keys { id } } }';
    await owner.ask(remove, { teamId, userId: admin.userId });
    expect(codeOf(await graphql(world.origin, READ, { token }))).to.equal('invalid_token');
  });

  it('are noted: who invited whom, and who joined', async () => {
    const { token, email } = await made();
    const gone = await made();
    await owner.ask(REVOKE, gone);
    const { userId } = await newPerson(world, { email, invitationToken: token });
    const entries = await AuditEntry.findAll({
      where: { teamId },
      order: [
        ['createdAt', 'ASC'],
        ['id', 'ASC'],
      ],
    });
    expect(entries.map(({ action, actorId, subjectName }) => [action, actorId, subjectName])).to.deep.equal([
      ['team.created', owner.userId, 'Engines'],
      ['member.invited', owner.userId, email],
      ['member.invited', owner.userId, gone.email],
      ['member.invitation_revoked', owner.userId, gone.email],
      ['member.joined', userId, email],
    ]);
  });
});

describe('too many invitations', () => {
  const world = useOwnWorld({
    ...MANY_PEOPLE,
    NEW_ACCOUNT_INVITATIONS_PER_DAY: '4',
    INVITATIONS_PER_HOUR: '6',
    PENDING_INVITATIONS: '10',
  });
  afterEach(() => clock.reset());

  const send = async (by: SignedIn, teamId: string, times: number) => {
    const codes = [];
    for (let time = 0; time < times; time += 1) codes.push(codeOf(await invite(by, { teamId, email: newEmail() })));
    return codes;
  };
  const LIMIT = 'account_limit_reached';

  it('of a new account are refused, in whichever of its teams, until a day has gone', async () => {
    const time = stopClock();
    const owner = await newPerson(world);
    const teamId = await teamOf(owner);
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map(() => invite(owner, { teamId, email: newEmail() })));
    expect(
      all.map(codeOf).filter((code) => code === LIMIT),
      'at once',
    ).to.have.length(2);
    const { data } = await owner.ask('mutation { createTeam(name: "More") { id } }');
    const reply = await invite(owner, { teamId: data.createTeam.id, email: newEmail() });
    expect(codeOf(reply)).to.equal(LIMIT);
    expect(reply.errors?.[0]?.message).to.include(new Date(time.nowMs + 86_400_000).toISOString());
    time.move(86_401);
    expect(await send(owner, data.createTeam.id, 1)).to.deep.equal([undefined]);
  });

  it('to one person are refused, though each makes the former one void', async () => {
    const owner = await newPerson(world);
    const to = { teamId: await teamOf(owner), email: newEmail() };
    const codes = [];
    for (let time = 0; time < 4; time += 1) codes.push(codeOf(await invite(owner, to)));
    expect(codes).to.deep.equal([undefined, undefined, undefined, LIMIT]);
    expect(await mailsTo(to.email)).to.have.length(3);
  });

  it('of any team are refused by the hour, and when too many wait', async () => {
    const time = stopClock();
    const owner = await newPerson(world);
    const teamId = await teamOf(owner);
    time.move(8 * 86_400);
    expect(await send(owner, teamId, 7)).to.deep.equal([...Array(6).fill(undefined), LIMIT]);
    time.move(3601);
    expect(await send(owner, teamId, 5)).to.deep.equal([...Array(4).fill(undefined), LIMIT]);
    time.move(3601);
    const { errors } = await invite(owner, { teamId, email: newEmail() });
    expect(errors?.[0]?.message).to.include('pending invitations');
  });
});
