import { inTransaction } from '../../db/inTransaction.ts';
import { type Transaction, UniqueConstraintError } from '../../db/sequelize.ts';
import { CodedError, validationFailed } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { User } from '../../models/User.ts';
import { foundTeam } from '../projects/foundTeam.ts';
import { hashAccountPassword } from './accountPasswords.ts';
import { takeAttempts } from './attempts.ts';
import type { Client } from './Client.ts';
import { joinTeam, refuseOtherPerson } from './invitations/joinTeam.ts';
import { findPending } from './invitations/pendingInvitation.ts';
import { normalEmail } from './normalEmail.ts';
import { refuseWeakPassword } from './refuseWeakPassword.ts';
import { beginSession } from './sessions.ts';
import { refuseClosedSignUp } from './signUpPolicy.ts';

interface SignUp {
  email: string;
  password: string;
  /** Of the team that is made, unless an invitation leads to one. */
  teamName?: string | null;
  invitationToken?: string | null;
}

/**
 * Makes an account with a team of its own, or in the team that it is invited to, and begins a session. Throws
 * `sign_up_closed`, `validation_failed`, `rate_limited`, `invalid_token`, `wrong_account`, and `conflict` for an e-mail that
 * has an account.
 */
export async function signUp(input: SignUp, client: Client): Promise<{ user: User; token: string }> {
  refuseClosedSignUp(input);
  const email = normalEmail(input.email);
  refuseWeakPassword(input.password, email, 'input.password');
  refuseTwoTeams(input);
  await takeAttempts(['signUpAddress', client.address]);
  // Both are asked again in the transaction; hashing for nothing is what is saved here.
  if (input.invitationToken) refuseOtherPerson((await findPending(input.invitationToken)).email, email);
  if ((await User.count({ where: { email } })) > 0) throw taken();
  const passwordHash = await hashAccountPassword(input.password);
  try {
    return await inTransaction(async (transaction) => {
      const user = await User.create({ id: newId('usr'), email, passwordHash }, { transaction });
      await enterTeam(user, input, transaction);
      return { user, token: await beginSession(user.id, client.userAgent, transaction) };
    });
  } catch (error) {
    throw error instanceof UniqueConstraintError ? taken() : error;
  }
}

async function enterTeam(user: User, input: SignUp, transaction: Transaction): Promise<void> {
  if (input.invitationToken) await joinTeam(user, input.invitationToken, transaction);
  else await foundTeam({ ownerId: user.id, name: input.teamName }, transaction);
}

function refuseTwoTeams({ teamName, invitationToken }: SignUp): void {
  if (!teamName || !invitationToken) return;
  const message = 'Leave it out: the invitation leads to a team that there is.';
  throw validationFailed([{ path: 'input.teamName', message }]);
}

function taken(): CodedError {
  return new CodedError(
    'conflict',
    'There is an account with this e-mail. Sign in; an invitation can be accepted then.',
  );
}
