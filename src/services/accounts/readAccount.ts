import { User } from '../../models/User.ts';
import { countRecoveryCodes } from './secondFactor/recoveryCodes.ts';

/** An account as its person sees it. */
export interface Account {
  id: string;
  email: string;
  /** Whether sign-ins need one. */
  secondFactor: boolean;
  recoveryCodesLeft: number;
}

/** The account of a user; null when there is none. */
export async function readAccount(userId: string): Promise<Account | null> {
  const user = await User.findByPk(userId);
  if (!user) return null;
  const { id, email, totpEnabledAt } = user;
  return { id, email, secondFactor: totpEnabledAt !== null, recoveryCodesLeft: await countRecoveryCodes(id) };
}
