// stores: any
import { expect } from 'chai';
import { newId } from '../../../src/kernel/ids.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { Membership, type Role } from '../../../src/models/Membership.ts';
import { type GraphqlReply, graphql } from '../../support/graphql.ts';
import { codeOf, MANY_PEOPLE, newMember, newPerson, type SignedIn, teamOf } from '../../support/people.ts';
import { useSettings, useWorld } from '../../support/world.ts';

const ROLES: Role[] = ['owner', 'admin', 'member', 'viewer'];
const CHANGE =
  'mutation ($teamId: ID!, $userId: ID!, $role: Role!) { changeMemberRole(teamId: $teamId, userId: $userId, role: $role) { userId email role } }';
const REMOVE =
  'mutation ($teamId: ID!, $userId: ID!) { removeMember(teamId: $teamId, userId: $userId) { keys { id } } }';
const LEAVE = 'mutation ($teamId: ID!) { leaveTeam(teamId: $teamId) { keys { id } } }';
const MEMBERS =
  'query ($teamId: ID!, $limit: Int, $cursor: String) { members(teamId: $teamId, limit: $limit, cursor: $cursor) { data { userId email role secondFactor } nextCursor } }';
const UPDATE = 'mutation ($id: ID!, $name: String!) { updateTeam(id: $id, name: $name) { id name } }';
const CREATE_LINK = 'mutation ($input: CreateLinkInput!) { createLink(input: $input) { id } }';

describe('members', () => {
  const world = useWorld(MANY_PEOPLE);
  useSettings({ newAccountDays: 0 });
  let owner: SignedIn;
  let teamId: string;

  beforeEach(async () => {
    owner = await newPerson(world, { teamName: 'Engines' });
    teamId = await teamOf(owner);
  });

  const change = (by: SignedIn, of: SignedIn, role: Role) => by.ask(CHANGE, { teamId, userId: of.userId, role });
  const remove = (by: SignedIn, of: SignedIn) => by.ask(REMOVE, { teamId, userId: of.userId });
  const roleOf = async ({ userId }: SignedIn) => (await Membership.findOne({ where: { teamId, userId } }))?.role;
  const ownersLeft = () => Membership.count({ where: { teamId, role: 'owner' } });
  const createLink = async ({ ask }: SignedIn) => {
    const { data } = await owner.ask('query ($teamId: ID) { projects(teamId: $teamId) { data { id } } }', { teamId });
    const input = { projectId: data.projects.data[0].id, destination: 'https://www.example.com/' };
    return codeOf(await ask(CREATE_LINK, { input }));
  };

  it('are listed page by page, in the order of joining', async () => {
    const joined = [owner];
    for (let time = 0; time < 4; time += 1) joined.push(await newMember(world, owner, teamId, 'viewer'));
    const walked: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const { data } = await owner.ask(MEMBERS, { teamId, limit: 2, cursor });
      walked.push(...data.members.data.map(({ userId }: { userId: string }) => userId));
      cursor = data.members.nextCursor;
      if (cursor === null) break;
    }
    expect(walked).to.deep.equal(joined.map(({ userId }) => userId));
    expect(codeOf(await owner.ask(MEMBERS, { teamId, limit: 101 }))).to.equal('validation_failed');
    expect(codeOf(await owner.ask(MEMBERS, { teamId, cursor: 'x' }))).to.equal('invalid_request');
  });

  it('show owners and admins who signs in with a second factor, and nobody else', async () => {
    for (const [role, seen] of [
      ['admin', false],
      ['member', null],
      ['viewer', null],
    ] as const) {
      const by = await newMember(world, owner, teamId, role);
      const { data } = await by.ask(MEMBERS, { teamId });
      expect(data.members.data[0], role).to.deep.equal({
        userId: owner.userId,
        email: owner.email,
        role: 'owner',
        secondFactor: seen,
      });
    }
  });

  it('get other roles, which hold for sessions that are open', async () => {
    const person = await newMember(world, owner, teamId, 'viewer');
    expect(await createLink(person)).to.equal('insufficient_scope');
    const { data } = await change(owner, person, 'member');
    expect(data.changeMemberRole).to.deep.equal({ userId: person.userId, email: person.email, role: 'member' });
    expect(await createLink(person)).to.equal(undefined);
    await change(owner, person, 'viewer');
    expect(await createLink(person)).to.equal('insufficient_scope');
    await remove(owner, person);
    expect(await createLink(person)).to.equal('not_found');
    expect((await person.ask('{ teams { data { id } } }')).data.teams.data).to.deep.equal([]);
  });

  for (const role of ROLES) {
    it(`${role}: changes and removes ${role === 'owner' ? 'everybody' : role === 'admin' ? 'all but owners' : 'nobody'}`, async () => {
      const by = await newMember(world, owner, teamId, role);
      const manages = (other: Role) => role === 'owner' || (role === 'admin' && other !== 'owner');
      for (const from of ROLES) {
        const of = await newMember(world, owner, teamId, from);
        for (const to of ROLES) {
          const expected = manages(from) && manages(to) ? undefined : 'insufficient_scope';
          expect(codeOf(await change(by, of, to)), `${from} to ${to}`).to.equal(expected);
          await change(owner, of, from);
        }
        expect(codeOf(await remove(by, of)), `remove ${from}`).to.equal(
          manages(from) ? undefined : 'insufficient_scope',
        );
      }
    });
  }

  it('have an owner at all times', async () => {
    const last = [await change(owner, owner, 'admin'), await remove(owner, owner), await owner.ask(LEAVE, { teamId })];
    for (const reply of last) {
      expect(codeOf(reply)).to.equal('conflict');
      expect(reply.errors?.[0]?.message).to.include('somebody else an owner');
    }
    const second = await newMember(world, owner, teamId, 'owner');
    expect(codeOf(await change(owner, owner, 'viewer'))).to.equal(undefined);
    expect(codeOf(await second.ask(LEAVE, { teamId }))).to.equal('conflict');
  });

  const AT_ONCE: [name: string, ask: (one: SignedIn, other: SignedIn) => Promise<GraphqlReply>][] = [
    ['make each other admins', (one, other) => change(one, other, 'admin')],
    ['remove each other', remove],
    ['leave', (one) => one.ask(LEAVE, { teamId })],
    ['step down', (one) => change(one, one, 'viewer')],
  ];
  for (const [name, ask] of AT_ONCE) {
    it(`keep an owner when two ${name} at once`, async () => {
      for (let time = 0; time < 3; time += 1) {
        const team = (await owner.ask('mutation { createTeam(name: "Two") { id } }')).data.createTeam.id;
        teamId = team;
        const other = await newMember(world, owner, team, 'owner');
        const codes = (await Promise.all([ask(owner, other), ask(other, owner)])).map(codeOf);
        expect(codes.filter((code) => code === undefined)).to.have.length(1);
        expect(await ownersLeft()).to.equal(1);
      }
    });
  }

  it('who is no owner any more when their turn comes changes nothing, though the request began as an owner', async () => {
    await newMember(world, owner, teamId, 'owner');
    const other = await newMember(world, owner, teamId, 'owner');
    const codes = (await Promise.all([change(owner, other, 'admin'), change(other, owner, 'admin')])).map(codeOf);
    expect(codes).to.have.members([undefined, 'insufficient_scope']);
    expect(await ownersLeft()).to.equal(2);
  });

  it('leave by themselves, also in survival mode, in which nothing else changes', async () => {
    const person = await newMember(world, owner, teamId, 'viewer');
    const admin = await newMember(world, owner, teamId, 'admin');
    await owner.ask('mutation ($id: ID!) { enterSurvivalMode(teamId: $id, reason: "we move") { id } }', { id: teamId });
    expect(codeOf(await change(owner, person, 'member'))).to.equal('team_read_only');
    expect(codeOf(await remove(admin, person))).to.equal('team_read_only');
    expect(codeOf(await owner.ask(UPDATE, { id: teamId, name: 'X' }))).to.equal('team_read_only');
    expect((await person.ask(LEAVE, { teamId })).data.leaveTeam).to.deep.equal({ keys: [] });
    expect(await roleOf(person)).to.equal(undefined);
    expect(codeOf(await person.ask(LEAVE, { teamId }))).to.equal('not_found');
  });

  it('of other teams are not there', async () => {
    const [other, mine] = [await newPerson(world), await newMember(world, owner, teamId, 'member')];
    expect(codeOf(await change(other, mine, 'viewer'))).to.equal('not_found');
    expect(codeOf(await remove(other, mine))).to.equal('not_found');
    expect(codeOf(await other.ask(LEAVE, { teamId }))).to.equal('not_found');
    expect(codeOf(await other.ask(UPDATE, { id: teamId, name: 'X' }))).to.equal('not_found');
    expect(codeOf(await remove(owner, other))).to.equal('not_found');
    expect(codeOf(await owner.ask(CHANGE, { teamId, userId: newId('usr'), role: 'viewer' }))).to.equal('not_found');
    expect(codeOf(await owner.ask(CHANGE, { teamId, userId: mine.userId, role: 'king' }))).to.equal('BAD_USER_INPUT');
    expect(codeOf(await graphql(world.origin, REMOVE, { teamId, userId: mine.userId }))).to.equal('not_signed_in');
  });

  it('who may change the team rename it', async () => {
    expect((await owner.ask(UPDATE, { id: teamId, name: ' Wheels ' })).data.updateTeam.name).to.equal('Wheels');
    const member = await newMember(world, owner, teamId, 'member');
    expect(codeOf(await member.ask(UPDATE, { id: teamId, name: 'X' }))).to.equal('insufficient_scope');
    for (const name of ['', '  ', 'x'.repeat(101)]) {
      expect(codeOf(await owner.ask(UPDATE, { id: teamId, name }))).to.equal('validation_failed');
    }
  });

  it('are noted when something changes, and not when nothing does', async () => {
    const person = await newMember(world, owner, teamId, 'viewer');
    await change(owner, person, 'viewer');
    await change(owner, person, 'member');
    await owner.ask(UPDATE, { id: teamId, name: 'Engines' });
    await owner.ask(UPDATE, { id: teamId, name: 'Wheels' });
    await person.ask(LEAVE, { teamId });
    const order: [string, string][] = [
      ['createdAt', 'ASC'],
      ['id', 'ASC'],
    ];
    const entries = await AuditEntry.findAll({ where: { teamId }, order });
    expect(entries.slice(3).map(({ action, actorId, details }) => [action, actorId, details])).to.deep.equal([
      ['member.role_changed', owner.userId, { changes: { role: { from: 'viewer', to: 'member' } } }],
      ['team.updated', owner.userId, { changes: { name: { from: 'Engines', to: 'Wheels' } } }],
      ['member.removed', person.userId, { role: 'member' }],
    ]);
  });
});
