import { requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { PasswordReset } from '../../models/PasswordReset.ts';
import { hashAccountPassword } from './accountPasswords.ts';
import type { Client } from './Client.ts';
import { rememberBrowser } from './knownBrowsers.ts';
import { lockUser } from './lockUser.ts';
import { noteAccountChange } from './noteAccountChange.ts';
import { provePassword } from './provePassword.ts';
import { refuseWeakPassword } from './refuseWeakPassword.ts';
import { endAllSessions } from './sessions.ts';

/**
 * Gives the signed-in person a new password and ends their other sessions. Gives the cookie by which this browser, and no
 * other, is known with the new password. Throws `invalid_credentials`,
 * `validation_failed`, `rate_limited`.
 */
export async function changePassword(
  principal: Principal,
  { currentPassword, password }: { currentPassword: string; password: string },
  client: Client,
): Promise<string> {
  const proven = await provePassword(principal, currentPassword);
  refuseWeakPassword(password, proven.email, 'password');
  const passwordHash = await hashAccountPassword(password, 'known');
  const changed = await inTransaction(async (transaction) => {
    const user = await lockUser(proven, transaction);
    await user.update({ passwordHash }, { transaction });
    await PasswordReset.destroy({ where: { userId: user.id }, transaction });
    await endAllSessions(user.id, transaction, requireSession(principal).tokenHash);
    await noteAccountChange(transaction, user, 'account.password_changed');
    return user;
  });
  return rememberBrowser(client.knownBrowsers, changed);
}
