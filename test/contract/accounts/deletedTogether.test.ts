// stores: each
import { expect } from 'chai';
import { purgeDeletedAccounts } from '../../../src/accounts/purgeDeletedAccounts.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { Membership } from '../../../src/models/Membership.ts';
import { Team } from '../../../src/models/Team.ts';
import { User } from '../../../src/models/User.ts';
import { type Api, apiOf } from '../../support/api.ts';
import {
  codeOf,
  done,
  MANY_PEOPLE,
  newMember,
  newOwner,
  newSession,
  PASSWORD,
  type SignedIn,
} from '../../support/people.ts';
import { stopClock } from '../../support/stopClock.ts';
import { useOwnWorld } from '../../support/world.ts';

const DELETE_ACCOUNT = 'mutation ($password: String!) { deleteAccount(password: $password) { teams { id } } }';
const RESTORE_ACCOUNT = 'mutation { restoreAccount { id } }';
const DELETE_TEAM = 'mutation ($id: ID!, $password: String!) { deleteTeam(id: $id, password: $password) { id } }';
const RESTORE_TEAM = 'mutation ($id: ID!) { restoreTeam(id: $id) { id role } }';
const CREATE_KEY = 'mutation ($input: CreateKeyInput!) { createKey(input: $input) { key } }';
const TEAMS = '{ teams { data { id role } } }';
const DAY = 86_400;

describe('an account and a team that are both deleted', () => {
  const world = useOwnWorld({ ...MANY_PEOPLE, SIGN_UP: 'open', NEW_ACCOUNT_DAYS: '0' });
  let owner: SignedIn;
  let teamId: string;
  let projectId: string;

  beforeEach(async () => {
    ({ owner, teamId, projectId } = await newOwner(world));
  });
  afterEach(() => clock.reset());

  const deleteAccount = (of: SignedIn) => done(of.ask(DELETE_ACCOUNT, { password: PASSWORD }));
  const deleteTeam = (by: SignedIn) => done(by.ask(DELETE_TEAM, { id: teamId, password: PASSWORD }));
  const restoreTeam = (by: SignedIn) => done(by.ask(RESTORE_TEAM, { id: teamId }));
  const back = (of: SignedIn) => newSession(world, { email: of.email });
  const makeKey = async (by: SignedIn): Promise<Api> => {
    const { createKey } = await done(by.ask(CREATE_KEY, { input: { projectId, name: 'Mine' } }));
    return apiOf(world.origin, createKey.key);
  };
  const works = async (api: Api) => (await api('GET', '/links')).status === 200;
  const membershipOf = ({ userId }: SignedIn) => Membership.findOne({ where: { teamId, userId } });

  it('leaves the team that was deleted before; its keys end when somebody else restores the team', async () => {
    const time = stopClock();
    const second = await newMember(world, owner, teamId, 'owner');
    const api = await makeKey(second);
    await deleteTeam(second);
    expect((await deleteAccount(second)).deleteAccount.teams, 'only teams that are left').to.deep.equal([]);
    expect(await membershipOf(second)).to.equal(null);
    await restoreTeam(owner);
    const session = await back(second);
    expect(codeOf(await session.ask(TEAMS))).to.equal('account_deleted');
    expect(await works(api), 'a day to replace it').to.equal(true);
    time.move(DAY);
    expect(await works(api)).to.equal(false);
    await done(session.ask(RESTORE_ACCOUNT));
    const mine = [{ id: teamId, role: 'admin' }];
    expect((await done(session.ask(TEAMS))).teams.data, 'another owner is there').to.deep.equal(mine);
  });

  it('leaves a deleted team without an owner, which stays deleted until the account is back', async () => {
    const api = await makeKey(owner);
    await newMember(world, owner, teamId, 'admin');
    await deleteTeam(owner);
    const { deletionAt } = await Team.unscoped().findByPk(teamId, { rejectOnEmpty: true });
    await deleteAccount(owner);
    expect(await Membership.count({ where: { teamId, role: 'owner' } })).to.equal(0);
    const session = await back(owner);
    expect(codeOf(await session.ask(RESTORE_TEAM, { id: teamId }))).to.equal('account_deleted');
    await done(session.ask(RESTORE_ACCOUNT));
    const team = await Team.unscoped().findByPk(teamId, { rejectOnEmpty: true });
    expect(team.deletionAt, 'the account alone is restored').to.deep.equal(deletionAt);
    expect((await done(session.ask('{ deletedTeams { id } }'))).deletedTeams).to.deep.equal([{ id: teamId }]);
    expect((await restoreTeam(session)).restoreTeam).to.deep.equal({ id: teamId, role: 'owner' });
    expect(await works(api)).to.equal(true);
  });

  it('is a member again of a team that was deleted since, with its keys', async () => {
    const time = stopClock();
    const admin = await newMember(world, owner, teamId, 'admin');
    const api = await makeKey(admin);
    await deleteAccount(admin);
    await deleteTeam(owner);
    const session = await back(admin);
    await done(session.ask(RESTORE_ACCOUNT));
    expect((await done(session.ask(TEAMS))).teams.data, 'it is deleted').to.deep.equal([]);
    await restoreTeam(owner);
    expect((await done(session.ask(TEAMS))).teams.data).to.deep.equal([{ id: teamId, role: 'admin' }]);
    time.move(DAY + 1);
    expect(await works(api)).to.equal(true);
  });

  it('is no member again of a team whose own time is over', async () => {
    const time = stopClock();
    const admin = await newMember(world, owner, teamId, 'admin');
    await deleteTeam(owner);
    time.move(DAY);
    await deleteAccount(await back(admin));
    time.move(6 * DAY);
    await done((await back(admin)).ask(RESTORE_ACCOUNT));
    expect(await membershipOf(admin)).to.equal(null);
  });

  it('is limited also where it is a member of a team', async () => {
    const where = { id: owner.userId };
    const deletionAt = new Date(clock.now() + 1000 * DAY);
    await inTransaction((transaction) => User.update({ deletionAt }, { where, transaction }));
    expect(codeOf(await owner.ask(TEAMS))).to.equal('account_deleted');
  });

  it('takes the membership along when it is deleted for good', async () => {
    const time = stopClock();
    await deleteAccount(owner);
    expect(await membershipOf(owner), 'of the team that was deleted with the account').to.not.equal(null);
    time.move(7 * DAY);
    while (await purgeDeletedAccounts(1000));
    expect(await membershipOf(owner)).to.equal(null);
  });
});
