// stores: each
import { expect } from 'chai';
import { claimAccountQuota } from '../../../src/access/accountLimits.ts';
import { firstStart } from '../../../src/accounts/firstStart.ts';
import { query } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Team } from '../../../src/models/Team.ts';
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

  it('forget what is over', async () => {
    const { id } = await makeTeam();
    await take(id, 1);
    nowMs += 2 * 86_400_000;
    await take(id, 1);
    expect(await query('SELECT minute FROM new_account_links WHERE team_id = :id', { id })).to.have.length(1);
  });
});
