import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { sealFor, unsealFor } from '../db/sealedColumns.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction, lockTable } from '../db/transactions.ts';
import { clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { newId } from '../kernel/ids.ts';
import { log } from '../kernel/log.ts';
import { randomToken } from '../kernel/secrets.ts';
import { User } from '../models/User.ts';
import { insertKey } from '../projects/keyService.ts';
import { hashAccountPassword } from './accountPasswords.ts';
import { insertTeam } from './newTeam.ts';
import { normalizeEmail } from './userStore.ts';

/** The id of the row with what was not shown yet. */
const UNSEEN = 'unseen';

/** What the first start created. It is stored encrypted, only until a start has shown it. */
export interface FirstAccount {
  email: string;
  password: string;
  secretKey: string;
  publishableKey: string;
}

/**
 * Creates owner, team, project and two keys in an empty store. Returns them, also at later starts and in other processes,
 * until `forgetFirstAccount`, because the process that created them may have ended before it showed them. Returns null when
 * there is nothing left to show.
 */
export async function firstStart(config: Pick<Config, 'ownerEmail' | 'ownerPassword'>): Promise<FirstAccount | null> {
  if (await hasAccounts()) return readUnseen();
  const email = normalizeEmail(config.ownerEmail);
  const password = config.ownerPassword ?? randomToken(12);
  const passwordHash = await hashAccountPassword(password);
  const made = await inTransaction(async (transaction) => {
    // Several processes may start on one empty PostgreSQL: the first creates the account, and the others wait for it.
    await lockTable('teams', transaction);
    if (await hasAccounts(transaction)) return null;
    const user = await User.create({ id: newId('usr'), email, passwordHash }, { transaction });
    const { project } = await insertTeam({ name: 'My team', ownerId: user.id, hasNoLimits: true }, transaction);
    const owned = { projectId: project.id, createdBy: user.id };
    const secret = await insertKey({ ...owned, name: 'First secret key', kind: 'secret', scopes: ['*'] }, transaction);
    const publishable = await insertKey({ ...owned, name: 'First publishable key', kind: 'publishable' }, transaction);
    const account = { email, password, secretKey: secret.key, publishableKey: publishable.key };
    const values = [UNSEEN, sealFor('firstAccount', [UNSEEN], JSON.stringify(account)), sqlTime(clock.now())];
    await queryRaw('INSERT INTO first_account (id, sealed, created_at) VALUES ($1, $2, $3)', values, transaction);
    return account;
  });
  return made ?? readUnseen();
}

/** Deletes the first account's secrets after they were shown. */
export async function forgetFirstAccount(): Promise<void> {
  await inTransaction((transaction) => queryRaw('DELETE FROM first_account', [], transaction));
}

/** Replaces the password that is still to be shown, after the owner's was reset. */
export async function updateUnseenPassword(password: string, transaction: Transaction): Promise<void> {
  const account = await readUnseen(transaction);
  if (!account) return;
  const values = [sealFor('firstAccount', [UNSEEN], JSON.stringify({ ...account, password })), UNSEEN];
  await queryRaw('UPDATE first_account SET sealed = $1 WHERE id = $2', values, transaction);
}

/** People stay when their teams are deleted, even the last one. */
async function hasAccounts(transaction?: Transaction): Promise<boolean> {
  return (await queryRaw('SELECT 1 AS one FROM users LIMIT 1', [], transaction)).length > 0;
}

async function readUnseen(transaction?: Transaction): Promise<FirstAccount | null> {
  const [row] = await queryRaw<{ sealed: string }>(
    'SELECT sealed FROM first_account WHERE id = $1',
    [UNSEEN],
    transaction,
  );
  if (!row) return null;
  try {
    return JSON.parse(unsealFor('firstAccount', [UNSEEN], row.sealed)) as FirstAccount;
  } catch (error) {
    log.warn(
      { err: error },
      'the account of the first start cannot be decrypted; `npm run admin` creates a new password and a new key',
    );
    return null;
  }
}
