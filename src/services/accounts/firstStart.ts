import { database, dialect } from '../../db/database.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Transaction } from '../../db/sequelize.ts';
import type { Config } from '../../kernel/config.ts';
import { newId } from '../../kernel/ids.ts';
import { randomToken } from '../../kernel/secrets.ts';
import { Team } from '../../models/Team.ts';
import { User } from '../../models/User.ts';
import { insertKey } from '../keys/insertKey.ts';
import { insertTeam } from '../projects/insertTeam.ts';
import { hashAccountPassword } from './accountPasswords.ts';
import { normalEmail } from './normalEmail.ts';

/** What the first start made; shown once and stored nowhere in this form. */
export interface FirstAccount {
  email: string;
  password: string;
  secretKey: string;
  publishableKey: string;
}

/** On an empty store: makes owner, team, project and two keys, and gives them. Null when there is a team already. */
export async function firstStart(config: Pick<Config, 'ownerEmail' | 'ownerPassword'>): Promise<FirstAccount | null> {
  if ((await Team.count()) > 0) return null;
  const email = normalEmail(config.ownerEmail);
  const password = config.ownerPassword ?? randomToken(12);
  const passwordHash = await hashAccountPassword(password);
  return inTransaction(async (transaction) => {
    // Several processes may start on one empty PostgreSQL: the first makes it, the others wait and then see it.
    await lockForFirstStart(transaction);
    if ((await Team.count({ transaction })) > 0) return null;
    const user = await User.create({ id: newId('usr'), email, passwordHash }, { transaction });
    const { project } = await insertTeam({ name: 'My team', ownerId: user.id, hasNoLimits: true }, transaction);
    const owned = { projectId: project.id, createdBy: user.id };
    const secret = await insertKey({ ...owned, name: 'First secret key', kind: 'secret', scopes: ['*'] }, transaction);
    const publishable = await insertKey({ ...owned, name: 'First publishable key', kind: 'publishable' }, transaction);
    return { email, password, secretKey: secret.key, publishableKey: publishable.key };
  });
}

async function lockForFirstStart(transaction: Transaction): Promise<void> {
  if (dialect() === 'postgres') await database().query('LOCK TABLE teams IN SHARE ROW EXCLUSIVE MODE', { transaction });
}
