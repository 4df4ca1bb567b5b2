import { database, dialect } from '../../db/database.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Transaction } from '../../db/sequelize.ts';
import type { Config } from '../../kernel/config.ts';
import { newId } from '../../kernel/ids.ts';
import { randomToken } from '../../kernel/secrets.ts';
import { Membership } from '../../models/Membership.ts';
import { Project } from '../../models/Project.ts';
import { Team } from '../../models/Team.ts';
import { User } from '../../models/User.ts';
import { insertKey } from '../keys/insertKey.ts';
import { hashPassword } from './passwords.ts';
import { endAllSessions } from './sessions.ts';

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
  const email = config.ownerEmail.toLowerCase();
  const password = config.ownerPassword ?? randomToken(12);
  const passwordHash = await hashPassword(password);
  return inTransaction(async (transaction) => {
    // Several processes may start on one empty PostgreSQL: the first makes it, the others wait and then see it.
    await lockForFirstStart(transaction);
    if ((await Team.count({ transaction })) > 0) return null;
    const user = await User.create({ id: newId('usr'), email, passwordHash }, { transaction });
    const team = await Team.create({ id: newId('team'), name: 'My team', hasNoLimits: true }, { transaction });
    await Membership.create({ teamId: team.id, userId: user.id, role: 'owner' }, { transaction });
    const project = await Project.create(
      { id: newId('prj'), teamId: team.id, name: 'My project', apps: [] },
      { transaction },
    );
    const owned = { projectId: project.id, createdBy: user.id };
    const secret = await insertKey({ ...owned, name: 'First secret key', kind: 'secret', scopes: ['*'] }, transaction);
    const publishable = await insertKey({ ...owned, name: 'First publishable key', kind: 'publishable' }, transaction);
    return { email, password, secretKey: secret.key, publishableKey: publishable.key };
  });
}

async function lockForFirstStart(transaction: Transaction): Promise<void> {
  if (dialect() === 'postgres') await database().query('LOCK TABLE teams IN SHARE ROW EXCLUSIVE MODE', { transaction });
}

/** Gives the first owner a new password and signs them out everywhere; for `npm run admin -- reset-owner`. */
export async function resetOwner(newPassword?: string): Promise<{ email: string; password: string }> {
  const membership = await Membership.findOne({ where: { role: 'owner' }, order: [['createdAt', 'ASC']] });
  const user = membership && (await User.findByPk(membership.userId));
  if (!user) throw new Error('There is no owner yet; the first start makes one.');
  const password = newPassword ?? randomToken(12);
  const passwordHash = await hashPassword(password);
  await inTransaction(async (transaction) => {
    await user.update({ passwordHash }, { transaction });
    await endAllSessions(user.id, transaction);
  });
  return { email: user.email, password };
}
