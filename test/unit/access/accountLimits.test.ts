// stores: any
import { expect } from 'chai';
import {
  claimAccountQuota,
  exhaustedQuota,
  limitsOfTeams,
  lockAccountQuotas,
} from '../../../src/access/accountLimits.ts';
import { firstStart } from '../../../src/accounts/firstStart.ts';
import { query } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { registry } from '../../../src/kernel/metrics.ts';
import { Membership } from '../../../src/models/Membership.ts';
import { Team } from '../../../src/models/Team.ts';
import { User } from '../../../src/models/User.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const MINUTE = 60_000;

describe('The limits of new accounts', () => {
  let store: OpenStore;
  let nowMs: number;

  before(async () => {
    store = await openStore({ NEW_ACCOUNT_LINKS_PER_HOUR: '10', NEW_ACCOUNT_LINKS_PER_DAY: '15' });
  });
  beforeEach(() => {
    // In the middle of a minute, so that its edges count.
    nowMs = Math.floor(Date.now() / MINUTE) * MINUTE + 30_000;
    clock.use({ now: () => nowMs });
  });
  after(async () => {
    clock.reset();
    await store.close();
  });

  const makeTeam = (more: object = {}) =>
    inTransaction((transaction) => Team.create({ id: newId('team'), name: 'Young', ...more }, { transaction }));
  const makeOwner = async () => {
    const id = newId('usr');
    const row = { id, email: `${id}@example.com`, passwordHash: '-' };
    await inTransaction((transaction) => User.create(row, { transaction }));
    return id;
  };
  const makeTeamOf = async (owners: string[], more: object = {}, role = 'owner') => {
    const { id: teamId } = await makeTeam(more);
    await inTransaction(async (transaction) => {
      for (const userId of owners) await Membership.create({ teamId, userId, role }, { transaction });
    });
    return teamId;
  };
  const deadlocks = async () => {
    const { values } = (await registry.getSingleMetric('svc_transaction_retries_total')?.get()) ?? { values: [] };
    return values.map(({ value }) => value);
  };
  const take = (teamId: string, wanted: number) =>
    inTransaction((transaction) => claimAccountQuota(teamId, wanted, transaction));
  const granted = async (teamId: string, wanted: number) => (await take(teamId, wanted)).granted;

  it('leave the team of the first start alone', async () => {
    await firstStart({ ownerEmail: 'owner@example.com', ownerPassword: 'a password' });
    const first = await Team.findOne({ where: { name: 'My team' }, rejectOnEmpty: true });
    expect(await take(first.id, 1000)).to.deep.equal({ granted: 1000, refusal: null });
  });

  it('hold for an hour and a day, and say when they ease', async () => {
    const { id } = await makeTeam();
    expect(await take(id, 8)).to.deep.equal({ granted: 8, refusal: null });
    const { granted: two, refusal } = await take(id, 5);
    expect(two).to.equal(2);
    const eases = new Date(Math.floor(nowMs / MINUTE) * MINUTE + 61 * MINUTE);
    expect([refusal?.status, refusal?.code]).to.deep.equal([403, 'account_limit_reached']);
    expect(refusal?.message).to.include('10 links in an hour').and.include(eases.toISOString());
    nowMs = eases.getTime() - 1;
    expect(await granted(id, 1)).to.equal(0);
    nowMs = eases.getTime();
    const rest = await take(id, 9);
    expect(rest.granted).to.equal(5);
    expect(rest.refusal?.message).to.include('15 links in a day');
    nowMs += 23 * 60 * MINUTE;
    expect(await granted(id, 9)).to.equal(9);
  });

  it('end when the account is old', async () => {
    const { id, createdAt } = await makeTeam();
    nowMs = createdAt.getTime() + 7 * 86_400_000 - 1;
    expect(await granted(id, 20)).to.equal(10);
    nowMs += 1;
    expect(await granted(id, 20)).to.equal(20);
  });

  it('count nothing of what was rolled back', async () => {
    const { id } = await makeTeam();
    const failing = inTransaction(async (transaction) => {
      await claimAccountQuota(id, 10, transaction);
      throw new Error('no link was made');
    });
    await failing.catch(() => {});
    expect(await granted(id, 10)).to.equal(10);
  });

  it('are never exceeded by many who ask at once, and are each team’s own', async () => {
    const [one, other] = [await makeTeam(), await makeTeam()];
    const takers = Array.from({ length: 20 }, (_, index) => granted(index % 2 ? one.id : other.id, 3));
    const all = await Promise.all(takers);
    const sum = (rest: number) => all.filter((_, index) => index % 2 === rest).reduce((total, some) => total + some, 0);
    expect([sum(0), sum(1)]).to.deep.equal([10, 10]);
  });

  it('are shared by the new teams of one owner, deleted ones too, and by no other team', async () => {
    const [person, other] = [await makeOwner(), await makeOwner()];
    const [first, second] = [await makeTeamOf([person]), await makeTeamOf([other, person])];
    const young = await makeTeamOf([person], { deletionAt: new Date(nowMs + MINUTE) });
    const [asMember, free] = [
      await makeTeamOf([person], {}, 'admin'),
      await makeTeamOf([person], { hasNoLimits: true }),
    ];
    const old = await makeTeamOf([person], { createdAt: new Date(nowMs - 8 * 86_400_000) });
    expect([await granted(first, 4), await granted(young, 4)]).to.deep.equal([4, 4]);
    expect(await granted(old, 50)).to.equal(50);
    expect(await granted(free, 50)).to.equal(50);
    const { granted: rest, refusal } = await take(second, 5);
    expect([rest, refusal?.code]).to.deep.equal([2, 'account_limit_reached']);
    expect((await exhaustedQuota(first))?.code).to.equal('account_limit_reached');
    expect(await exhaustedQuota(asMember)).to.equal(null);
    expect(await granted(asMember, 20)).to.equal(10);
    const used = await limitsOfTeams(await Team.findAll({ where: { id: [first, second, asMember] } }));
    expect([first, second, asMember].map((id) => used.get(id)?.linksThisHour.used)).to.deep.equal([10, 10, 10]);
  });

  it('are never exceeded by many who ask at once in several teams of one owner', async () => {
    const owner = await makeOwner();
    const teams = [await makeTeamOf([owner]), await makeTeamOf([owner]), await makeTeamOf([owner])];
    const all = await Promise.all(Array.from({ length: 18 }, (_, index) => granted(teams[index % 3] as string, 2)));
    expect(all.reduce((total, some) => total + some, 0)).to.equal(10);
  });

  it('are locked for several teams at once without waiting for each other in a circle', async () => {
    const [one, other] = [await makeOwner(), await makeOwner()];
    const teams = [await makeTeamOf([one]), await makeTeamOf([other]), await makeTeamOf([one, other])];
    const claimAll = (order: string[]) =>
      inTransaction(async (transaction) => {
        await lockAccountQuotas(order, transaction);
        for (const teamId of order) await claimAccountQuota(teamId, 1, transaction);
      });
    const before = await deadlocks();
    await Promise.all(Array.from({ length: 6 }, (_, index) => claimAll(index % 2 ? teams : teams.toReversed())));
    expect(await deadlocks()).to.deep.equal(before);
  });

  it('forget what is over', async () => {
    const { id } = await makeTeam();
    await take(id, 1);
    nowMs += 2 * 86_400_000;
    await take(id, 1);
    expect(await query('SELECT minute FROM new_account_links WHERE team_id = :id', { id })).to.have.length(1);
  });
});
