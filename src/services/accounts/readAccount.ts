import { User } from '../../models/User.ts';
import { countRecoveryCodes } from './secondFactor/recoveryCodes.ts';

/** An account as its person sees it. */
export interface Account {
  id: string;
  email: string;
  /** Where it is not, the account can do nothing but that. */
  emailConfirmed: boolean;
  /** Whether sign-ins need one. */
  secondFactor: boolean;
  recoveryCodesLeft: number;
}

/** The account of a user; null when there is none. */
export async function readAccount(userId: string): Promise<Account | null> {
  const user = await User.findByPk(userId);
  if (!user) return null;
  const { id, email, pendingEmail, totpEnabledAt } = user;
  const confirmed = { email: pendingEmail ?? email, emailConfirmed: pendingEmail === null };
  return { id, ...confirmed, secondFactor: totpEnabledAt !== null, recoveryCodesLeft: await countRecoveryCodes(id) };
}
