import { database, dialect } from '../../db/database.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import { sealFor, unsealFor } from '../../db/sealedColumns.ts';
import { selectBound } from '../../db/selectBound.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { newId } from '../../kernel/ids.ts';
import { log } from '../../kernel/log.ts';
import { randomToken } from '../../kernel/secrets.ts';
import { Team } from '../../models/Team.ts';
import { User } from '../../models/User.ts';
import { insertKey } from '../keys/insertKey.ts';
import { insertTeam } from '../projects/insertTeam.ts';
import { hashAccountPassword } from './accountPasswords.ts';
import { normalEmail } from './normalEmail.ts';

/** What the first start made. It is stored sealed, and no longer than until a start has shown it. */
export interface FirstAccount {
  email: string;
  password: string;
  secretKey: string;
  publishableKey: string;
}

/**
 * On an empty store: makes owner, team, project and two keys. Gives them, also at later starts and in other processes,
 * until `forgetFirstAccount`: whoever made them may have ended before anybody saw them. Null when there is nothing to show.
 */
export async function firstStart(config: Pick<Config, 'ownerEmail' | 'ownerPassword'>): Promise<FirstAccount | null> {
  if ((await Team.count()) > 0) return readUnseen();
  const email = normalEmail(config.ownerEmail);
  const password = config.ownerPassword ?? randomToken(12);
  const passwordHash = await hashAccountPassword(password);
  const made = await inTransaction(async (transaction) => {
    // Several processes may start on one empty PostgreSQL: the first makes it, the others wait and then see it.
    await lockForFirstStart(transaction);
    if ((await Team.count({ transaction })) > 0) return null;
    const user = await User.create({ id: newId('usr'), email, passwordHash }, { transaction });
    const { project } = await insertTeam({ name: 'My team', ownerId: user.id, hasNoLimits: true }, transaction);
    const owned = { projectId: project.id, createdBy: user.id };
    const secret = await insertKey({ ...owned, name: 'First secret key', kind: 'secret', scopes: ['*'] }, transaction);
    const publishable = await insertKey({ ...owned, name: 'First publishable key', kind: 'publishable' }, transaction);
    const account = { email, password, secretKey: secret.key, publishableKey: publishable.key };
    const values = [UNSEEN, sealFor('firstAccount', [UNSEEN], JSON.stringify(account)), sqlTime(clock.now())];
    await selectBound('INSERT INTO first_account (id, sealed, created_at) VALUES ($1, $2, $3)', values, transaction);
    return account;
  });
  return made ?? readUnseen();
}

/** It has been shown. */
export async function forgetFirstAccount(): Promise<void> {
  await inTransaction((transaction) => selectBound('DELETE FROM first_account', [], transaction));
}

/** The owner has another password, which is the one to be shown. */
export async function changeUnseenPassword(password: string, transaction: Transaction): Promise<void> {
  const account = await readUnseen(transaction);
  if (!account) return;
  const values = [sealFor('firstAccount', [UNSEEN], JSON.stringify({ ...account, password })), UNSEEN];
  await selectBound('UPDATE first_account SET sealed = $1 WHERE id = $2', values, transaction);
}

const UNSEEN = 'unseen';

async function readUnseen(transaction?: Transaction): Promise<FirstAccount | null> {
  const [row] = await selectBound<{ sealed: string }>(
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
      'what the first start made cannot be read; `npm run admin` makes a new password and a new key',
    );
    return null;
  }
}

async function lockForFirstStart(transaction: Transaction): Promise<void> {
  if (dialect() === 'postgres') await database().query('LOCK TABLE teams IN SHARE ROW EXCLUSIVE MODE', { transaction });
}
