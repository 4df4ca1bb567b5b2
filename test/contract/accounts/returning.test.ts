// stores: any
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { Alert } from '../../../src/models/Alert.ts';
import { Membership, type Role } from '../../../src/models/Membership.ts';
import { apiOf } from '../../support/api.ts';
import {
  codeOf,
  MANY_PEOPLE,
  mailsTo,
  newMember,
  newOwner,
  newPerson,
  newSession,
  PASSWORD,
  projectOf,
  type SignedIn,
} from '../../support/people.ts';
import { stopClock } from '../../support/stopClock.ts';
import { useOwnWorld } from '../../support/world.ts';

const DELETE = 'mutation ($password: String!) { deleteAccount(password: $password) { deletionAt } }';
const RESTORE = 'mutation { restoreAccount { id } }';
const MEMBERS =
  'query ($teamId: ID!, $limit: Int, $cursor: String) { members(teamId: $teamId, limit: $limit, cursor: $cursor) { data { userId role mayReturnUntil } nextCursor } }';
const CHANGE =
  'mutation ($teamId: ID!, $userId: ID!, $role: Role!) { changeMemberRole(teamId: $teamId, userId: $userId, role: $role) { userId role mayReturnUntil } }';
const REMOVE =
  'mutation ($teamId: ID!, $userId: ID!) { removeMember(teamId: $teamId, userId: $userId) { keys { id } webhooks { id } } }';
const CREATE_KEY = 'mutation ($input: CreateKeyInput!) { createKey(input: $input) { key } }';
const DAY = 86_400;

describe('a member who has deleted their account', () => {
  const world = useOwnWorld({ ...MANY_PEOPLE, SIGN_UP: 'open', NEW_ACCOUNT_DAYS: '0' });
  let owner: SignedIn;
  let teamId: string;

  beforeEach(async () => {
    ({ owner, teamId } = await newOwner(world));
  });
  afterEach(() => clock.reset());

  const leave = async (of: SignedIn) =>
    expect(codeOf(await of.ask(DELETE, { password: PASSWORD }))).to.equal(undefined);
  const gone = async (role: Role) => {
    const person = await newMember(world, owner, teamId, role);
    await leave(person);
    return person;
  };
  const back = async ({ email }: SignedIn) => {
    const session = await newSession(world, { email });
    return { ...session, reply: await session.ask(RESTORE) };
  };
  const change = (by: SignedIn, { userId }: SignedIn, role: Role) => by.ask(CHANGE, { teamId, userId, role });
  const remove = (by: SignedIn, { userId }: SignedIn) => by.ask(REMOVE, { teamId, userId });
  const roleOf = async ({ userId }: SignedIn) => (await Membership.findOne({ where: { teamId, userId } }))?.role;
  const seenBy = async (by: SignedIn, { userId }: SignedIn) => {
    const { data } = await by.ask(MEMBERS, { teamId });
    return data.members.data.find((member: { userId: string }) => member.userId === userId);
  };

  it('is seen by owners and admins with the time until which they may return, and by nobody else', async () => {
    const time = stopClock();
    const [admin, viewer] = [
      await newMember(world, owner, teamId, 'admin'),
      await newMember(world, owner, teamId, 'viewer'),
    ];
    const person = await gone('member');
    const mayReturnUntil = new Date(time.nowMs + 7 * DAY * 1000).toISOString();
    for (const by of [owner, admin]) {
      expect(await seenBy(by, person)).to.deep.equal({ userId: person.userId, role: 'member', mayReturnUntil });
      expect(await seenBy(by, owner)).to.include({ mayReturnUntil: null });
    }
    expect(await seenBy(viewer, person)).to.equal(undefined);
    time.move(7 * DAY);
    expect(await seenBy(await newSession(world, { email: owner.email }), person)).to.equal(undefined);
  });

  it('stands in the list at the place of their joining, once, on whatever page that is', async () => {
    const people = [owner];
    for (const role of ['viewer', 'member', 'admin', 'viewer'] as const) {
      people.push(await newMember(world, owner, teamId, role));
    }
    for (const index of [1, 3]) await leave(people[index] as SignedIn);
    for (const limit of [1, 2, 5]) {
      const walked: string[] = [];
      for (let cursor: string | null = null; ; ) {
        const { data } = await owner.ask(MEMBERS, { teamId, limit, cursor });
        walked.push(...data.members.data.map(({ userId }: { userId: string }) => userId));
        cursor = data.members.nextCursor;
        if (cursor === null) break;
      }
      expect(walked, `${limit} a page`).to.deep.equal(people.map(({ userId }) => userId));
    }
  });

  it('comes back as an owner only on the word of an owner, and as an admin otherwise, who removes no owner', async () => {
    const second = await gone('owner');
    expect((await seenBy(owner, second)).role).to.equal('admin');
    const session = await back(second);
    expect(await roleOf(second)).to.equal('admin');
    expect(codeOf(await remove(session, owner))).to.equal('insufficient_scope');
    expect(codeOf(await change(session, second, 'owner'))).to.equal('insufficient_scope');
    const third = await gone('owner');
    expect((await change(owner, third, 'owner')).data.changeMemberRole.role).to.equal('owner');
    await back(third);
    expect(await roleOf(third)).to.equal('owner');
  });

  for (const role of ['admin', 'member', 'viewer'] as const) {
    it(`comes back as ${role}, or with the role that was set meanwhile, and never with a higher one`, async () => {
      const [person, other] = [await gone(role), await gone(role)];
      await back(person);
      expect(await roleOf(person)).to.equal(role);
      expect((await change(owner, other, 'viewer')).data.changeMemberRole).to.include({ role: 'viewer' });
      await back(other);
      expect(await roleOf(other)).to.equal('viewer');
    });
  }

  it('comes back to a team that nobody else owns by then as its owner', async () => {
    const second = await newMember(world, owner, teamId, 'owner');
    await leave(second);
    await leave(owner);
    await back(second);
    expect(await roleOf(second)).to.equal('owner');
  });

  it('does not come back once they are removed; their keys end all the same', async () => {
    const time = stopClock();
    const projectId = await projectOf(owner);
    const person = await newMember(world, owner, teamId, 'admin');
    const { data } = await person.ask(CREATE_KEY, { input: { projectId, name: 'Mine' } });
    await leave(person);
    const removed = await remove(owner, person);
    expect(removed.data.removeMember.keys).to.have.length(1);
    expect(await seenBy(owner, person)).to.equal(undefined);
    expect(codeOf(await remove(owner, person)), 'a second time').to.equal('not_found');
    const session = await back(person);
    expect(codeOf(session.reply)).to.equal(undefined);
    expect(await roleOf(person)).to.equal(undefined);
    time.move(DAY);
    expect((await apiOf(world.origin, data.createKey.key)('GET', '/links')).status).to.equal(401);
  });

  it('is managed as members are: former owners by owners only, and nobody by members', async () => {
    const [admin, member] = [
      await newMember(world, owner, teamId, 'admin'),
      await newMember(world, owner, teamId, 'member'),
    ];
    const [formerOwner, formerViewer] = [await gone('owner'), await gone('viewer')];
    for (const act of [remove, (by: SignedIn, of: SignedIn) => change(by, of, 'viewer')]) {
      expect(codeOf(await act(admin, formerOwner))).to.equal('insufficient_scope');
      expect(codeOf(await act(member, formerViewer))).to.equal('insufficient_scope');
    }
    expect(codeOf(await change(admin, formerViewer, 'owner'))).to.equal('insufficient_scope');
    expect(codeOf(await remove(admin, formerViewer))).to.equal(undefined);
    expect(codeOf(await remove(await newPerson(world), formerOwner)), 'another team').to.equal('not_found');
  });

  it('is announced to the others at each return, by an alert and by mail', async () => {
    const second = await gone('owner');
    const returns = async () =>
      (await Alert.findAll({ where: { teamId, kind: 'security' } })).filter(({ title }) => title.includes('come back'));
    for (const count of [1, 2]) {
      const session = await back(second);
      const alerts = await returns();
      expect(alerts).to.have.length(count);
      const { title, message } = alerts[0] as Alert;
      expect(title).to.include(second.email).and.include('as admin');
      expect(message).to.include(count === 1 ? 'They were owner before' : 'restored the account');
      if (count === 1) await leave(session);
    }
    expect((await mailsTo(owner.email)).filter(({ kind }) => kind === 'alert')).to.have.length(2);
    expect((await mailsTo(second.email)).filter(({ kind }) => kind === 'alert')).to.have.length(0);
  });

  it('and is removed at the same time is out for good, whichever comes first', async () => {
    for (const first of ['removal', 'deletion', 'return'] as const) {
      const person = await newMember(world, owner, teamId, 'owner');
      if (first === 'return') await leave(person);
      const acts = [() => remove(owner, person), () => (first === 'return' ? back(person) : leave(person))];
      const both = await Promise.all((first === 'removal' ? acts : acts.reverse()).map((act) => act()));
      const removal = both[first === 'removal' ? 0 : 1] as Awaited<ReturnType<typeof remove>>;
      expect(codeOf(removal), first).to.equal(undefined);
      if (first !== 'return') await back(person);
      expect(await roleOf(person), first).to.equal(undefined);
    }
  });
});
