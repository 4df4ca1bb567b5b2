// stores: each
import { expect } from 'chai';
import { purgeAccounts } from '../../../src/accounts/purgeAccounts.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { sha256 } from '../../../src/kernel/secrets.ts';
import { Invitation } from '../../../src/models/Invitation.ts';
import { PasswordReset } from '../../../src/models/PasswordReset.ts';
import { Session } from '../../../src/models/Session.ts';
import { Team } from '../../../src/models/Team.ts';
import { User } from '../../../src/models/User.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const DAY_MS = 86_400_000;

describe('purgeAccounts', () => {
  let store: OpenStore;
  before(async () => {
    store = await openStore();
  });
  after(() => store.close());

  it('deletes what has ended, some at a time, and nothing else', async () => {
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
    await inTransaction(async (transaction) => {
      const { id: userId } = await User.create(
        { id: newId('usr'), email: 'ada@example.com', passwordHash: '' },
        { transaction },
      );
      const { id: teamId } = await Team.create({ id: newId('team'), name: 'Engines' }, { transaction });
      for (const days of [3, 2, 1, -1]) {
        const row = { tokenHash: sha256(String(days)), userId, expiresAt: ago(days) };
        await Session.create(row, { transaction });
        await PasswordReset.create({ ...row, createdAt: ago(4) }, { transaction });
      }
      for (const days of [40, 31, 29, -1]) {
        const invitation = { id: newId('inv'), teamId, email: `${days}@example.com`, role: 'viewer' };
        await Invitation.create(
          { ...invitation, tokenHash: sha256(String(days)), expiresAt: ago(days) },
          { transaction },
        );
      }
    });
    const left = async () => [await Session.count(), await PasswordReset.count(), await Invitation.count()];
    expect(await purgeAccounts(2)).to.equal(true);
    expect(await left()).to.deep.equal([2, 2, 2]);
    expect(await purgeAccounts(2)).to.equal(false);
    expect(await left()).to.deep.equal([1, 1, 2]);
  });
});
