// stores: any
import { expect } from 'chai';
import { firstStart } from '../../../src/accounts/firstStart.ts';
import { insertTeam } from '../../../src/accounts/newTeam.ts';
import { resetOwner } from '../../../src/accounts/operatorResets.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock, DAY_MS } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Project } from '../../../src/models/Project.ts';
import { Team } from '../../../src/models/Team.ts';
import { User } from '../../../src/models/User.ts';
import { createOperatorKey } from '../../../src/projects/keyService.ts';
import { openStore } from '../../support/store.ts';

const OWNER = 'owner@example.com';

describe('the commands of the operator, beside other tenants', () => {
  let close: () => Promise<void>;
  const later = new Date(clock.now() + DAY_MS);

  beforeEach(async () => {
    ({ close } = await openStore());
  });
  afterEach(() => close());

  const start = () => firstStart({ ownerEmail: OWNER, ownerPassword: 'a password of this test' });
  /** A team with a project of somebody who signed up. */
  const signUp = () =>
    inTransaction(async (transaction) => {
      const person = { id: newId('usr'), email: 'stranger@example.com', passwordHash: 'x' };
      const { id: ownerId } = await User.create(person, { transaction });
      return insertTeam({ name: 'Others', ownerId, hasNoLimits: false }, transaction);
    });
  const remove = (model: typeof User | typeof Team | typeof Project, where: Record<string, unknown>) =>
    inTransaction((transaction) => (model as typeof User).update({ deletionAt: later }, { where, transaction }));
  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing',
      (error: Error) => error.message,
    );

  it('reset the owner of the first team, and nobody else once it or the account is deleted', async () => {
    expect(await refusalOf(resetOwner())).to.include('the first start creates one');
    await start();
    await signUp();
    expect((await resetOwner()).email).to.equal(OWNER);
    await remove(User, { email: OWNER });
    expect(await refusalOf(resetOwner())).to.include('reset-password EMAIL');
    await inTransaction((transaction) => User.update({ deletionAt: null }, { where: {}, transaction }));
    expect((await resetOwner()).email).to.equal(OWNER);
    await remove(Team, { hasNoLimits: true });
    expect(await refusalOf(resetOwner())).to.include('reset-password EMAIL');
  });

  it('make a key in another project of theirs once the first is deleted, in no stranger’s unless it is named', async () => {
    await start();
    const { project: strangers } = await signUp();
    const { project: first } = await createOperatorKey();
    const row = { id: newId('prj'), teamId: first.teamId, name: 'Second', apps: [] };
    const second = await inTransaction((transaction) => Project.create(row, { transaction }));
    await remove(Project, { id: first.id });
    expect((await createOperatorKey()).project.id).to.equal(second.id);
    await remove(Project, { id: second.id });
    expect(await refusalOf(createOperatorKey())).to.include('new-key PROJECT_ID');
    expect((await createOperatorKey(strangers.id)).project.id).to.equal(strangers.id);
    expect(await refusalOf(createOperatorKey(second.id))).to.equal('There is no such project.');
  });
});
