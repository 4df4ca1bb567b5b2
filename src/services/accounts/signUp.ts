import { inTransaction } from '../../db/inTransaction.ts';
import { type Transaction, UniqueConstraintError } from '../../db/sequelize.ts';
import { CodedError, validationFailed } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { isMailSet } from '../../mail/queueMails.ts';
import { User } from '../../models/User.ts';
import { hashAccountPassword } from './accountPasswords.ts';
import { isWithinLimits, takeAttempts } from './attempts.ts';
import type { BegunSession, Client } from './Client.ts';
import { refuseOtherPerson } from './invitations/joinTeam.ts';
import { findInvitation, findPending, hashOfInvitation, isFromMail, usedUp } from './invitations/pendingInvitation.ts';
import { rememberBrowser } from './knownBrowsers.ts';
import { normalEmail } from './normalEmail.ts';
import { enterTeam, insertPending, mailConfirmation, type NewAccount } from './pendingAccounts.ts';
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
 * Makes an account with a team of its own, or in the team that it is invited to, and begins a session. Where mail is sent it
 * waits for its e-mail to be confirmed, unless it brings an invitation out of a mail, and the answer is the same for an
 * e-mail that has an account. Throws `sign_up_closed`, `validation_failed`, `rate_limited`, `invalid_token`, `wrong_account`,
 * and `conflict` for an e-mail that has an account where that may be told.
 */
export async function signUp(input: SignUp, client: Client): Promise<BegunSession & { user: User }> {
  refuseClosedSignUp(input, client);
  const { invitationToken } = input;
  const email = normalEmail(input.email);
  refuseWeakPassword(input.password, email, 'input.password');
  refuseTwoTeams(input);
  await takeAttempts(['signUpAddress', client.address]);
  // Both are asked again in the transaction; hashing for nothing is what is saved here.
  if (invitationToken) refuseOtherPerson((await findPending(invitationToken)).email, email);
  const isProven = !isMailSet() || (invitationToken ? isFromMail(invitationToken) : false);
  if (isProven && (await User.count({ where: { email } })) > 0) throw taken();
  const passwordHash = await hashAccountPassword(input.password);
  const invitationHash = invitationToken ? hashOfInvitation(invitationToken) : null;
  const account = { email, passwordHash, entry: { teamName: input.teamName ?? null, invitationHash } };
  const insert = isProven ? insertProven : await insertUnproven(email);
  try {
    return await inTransaction(async (transaction) => {
      const user = await insert(account, transaction);
      const token = await beginSession(user.id, client.userAgent, transaction);
      return { user, token, knownBrowsers: rememberBrowser(client.knownBrowsers, user) };
    });
  } catch (error) {
    throw error instanceof UniqueConstraintError ? taken() : error;
  }
}

async function insertProven(account: NewAccount, transaction: Transaction): Promise<User> {
  const { email, passwordHash, entry } = account;
  const user = await User.create({ id: newId('usr'), email, passwordHash }, { transaction });
  if (entry.invitationHash && !(await findInvitation(entry.invitationHash, transaction))) throw usedUp();
  await enterTeam(user, entry, transaction);
  return user;
}

/** Too many mails to one e-mail: the account can ask for its mail later. */
async function insertUnproven(email: string) {
  const isMailed = await isWithinLimits(['confirmationMails', email]);
  return async (account: NewAccount, transaction: Transaction): Promise<User> => {
    const user = await insertPending(account, transaction);
    if (isMailed) await mailConfirmation(user, transaction);
    return user;
  };
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
