import { requirePendingSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { Op, type Transaction, UniqueConstraintError } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { isBaseOnThisMachine } from '../kernel/origins.ts';
import { randomToken, sha256 } from '../kernel/secrets.ts';
import { isMailConfigured, queueMails, writeMail } from '../mail/mailQueue.ts';
import { EmailConfirmation } from '../models/EmailConfirmation.ts';
import { PasswordReset } from '../models/PasswordReset.ts';
import { User } from '../models/User.ts';
import { accountPage } from './accountPage.ts';
import { hashAccountPassword, refuseWeakPassword } from './accountPasswords.ts';
import { countAttempts, isWithinLimits } from './attempts.ts';
import { describeAgent, rememberBrowser } from './browsers.ts';
import { createTeamFor } from './newTeam.ts';
import {
  findPendingByHash,
  findPendingInvitation,
  hashInvitationToken,
  invalidInvitation,
  isFromMail,
  joinByInvitation,
  refuseWrongAccount,
} from './pendingInvitations.ts';
import { proveAsker } from './proof.ts';
import { beginSession, type Client, type NewSession } from './sessionService.ts';
import { insertPending, isEmailTaken, type NewAccount, normalizeEmail } from './userStore.ts';

interface SignUp {
  email: string;
  password: string;
  /** The name of the new team; not allowed with an invitation. */
  teamName?: string | null;
  invitationToken?: string | null;
}

/**
 * Creates an account, with a team of its own or in the team of an invitation, and begins a session. Where mail is sent, and
 * unless the invitation came by mail, the account can do nothing until its e-mail is confirmed, and the response does not
 * reveal whether the e-mail has an account already. Throws `sign_up_closed`, `validation_failed`, `rate_limited`,
 * `invalid_token`, `wrong_account`, and `conflict` for an e-mail that has an account where that may be revealed.
 */
export async function signUp(input: SignUp, client: Client): Promise<NewSession & { user: User }> {
  refuseClosedSignUp(input, client);
  const { invitationToken } = input;
  const email = normalizeEmail(input.email);
  refuseWeakPassword(input.password, email, 'input.password');
  refuseTwoTeams(input);
  await countAttempts(['signUpAddress', client.address]);
  // Both are checked again in the transaction; checking them here saves hashing in vain.
  if (invitationToken) refuseWrongAccount((await findPendingInvitation(invitationToken)).email, email);
  const isProven = !isMailConfigured() || (invitationToken ? isFromMail(invitationToken) : false);
  if (isProven && (await User.count({ where: { email } })) > 0) throw emailTaken();
  const passwordHash = await hashAccountPassword(input.password);
  const invitationHash = invitationToken ? hashInvitationToken(invitationToken) : null;
  const account = { email, passwordHash, entry: { teamName: input.teamName ?? null, invitationHash } };
  const insert = isProven ? insertProven : await insertUnproven(email, client);
  try {
    return await inTransaction(async (transaction) => {
      const user = await insert(account, transaction);
      const token = await beginSession(user.id, client.userAgent, transaction);
      return { user, token, knownBrowsers: rememberBrowser(client.knownBrowsers, user) };
    });
  } catch (error) {
    throw error instanceof UniqueConstraintError ? emailTaken() : error;
  }
}

/**
 * Confirms the e-mail of an account with the token of a mail; its sessions go on. The mail may have gone out because somebody
 * else entered the address: it proves the mailbox, and the session or password which account it is for. In a session of another
 * account that waits for the same address it is that one. Of two simultaneous calls one succeeds. Throws `invalid_token`, what
 * `proveAsker` throws, and `conflict` when the e-mail belongs to another account by now.
 */
export async function confirmEmail(
  principal: Principal,
  { token, password }: { token: string; password?: string | null },
): Promise<void> {
  const tokenHash = sha256(token);
  const usable = { tokenHash, expiresAt: { [Op.gt]: now() } };
  const confirmation = await EmailConfirmation.findOne({ where: usable });
  const asked = confirmation && (await User.findByPk(confirmation.userId));
  if (!asked?.pendingEmail) throw invalidConfirmation();
  const own = principal.kind === 'session' ? await User.findByPk(principal.userId) : null;
  const isOwn = own?.pendingEmail === asked.pendingEmail;
  if (!isOwn) await proveAsker(principal, asked, { password, tokenHash });
  const { id } = isOwn ? own : asked;
  await inTransaction(async (transaction) => {
    const user = await User.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!user?.pendingEmail) throw invalidConfirmation();
    if ((await EmailConfirmation.destroy({ where: usable, transaction })) === 0) throw invalidConfirmation();
    await confirmAccount(user, transaction);
  });
}

/** Mails the confirmation link again. Throws `conflict` when the e-mail is confirmed already, `rate_limited`. */
export async function resendConfirmation(principal: Principal, client: Client): Promise<void> {
  const { userId } = requirePendingSession(principal);
  const user = await User.findByPk(userId);
  if (!user?.pendingEmail) throw new CodedError('conflict', 'Your e-mail is confirmed already.');
  await countAttempts(['confirmationMails', user.pendingEmail]);
  await inTransaction((transaction) => mailConfirmation(user, client, transaction));
}

/**
 * Who may create an account. SIGN_UP=auto depends on where BASE_URL is and where the connection came from; not on the Host
 * header, in which a client on another machine can write anything.
 */
export function signUpPolicy(isFromThisMachine = true): 'open' | 'invitation' | 'closed' {
  if (config.signUp !== 'auto') return config.signUp as 'open' | 'invitation' | 'closed';
  return isFromThisMachine && isBaseOnThisMachine() ? 'open' : 'invitation';
}

/** Throws `sign_up_closed`, with a message that says how to get an account. */
export function refuseClosedSignUp(
  { invitationToken }: { invitationToken?: string | null },
  { isFromThisMachine }: Pick<Client, 'isFromThisMachine'>,
): void {
  const policy = signUpPolicy(isFromThisMachine);
  if (policy === 'closed') {
    throw new CodedError('sign_up_closed', 'Sign-up is closed. Ask the operator of this installation for an account.');
  }
  if (policy === 'invitation' && !invitationToken) {
    const message = 'You need an invitation to sign up. Ask an owner or admin of a team to invite you.';
    throw new CodedError('sign_up_closed', message);
  }
}

/**
 * Sets the confirmed email address of the account, whose row is locked, and its team. Throws `conflict` when the
 * e-mail belongs to another account by now, and `team_read_only`.
 */
export async function confirmAccount(user: User, transaction: Transaction): Promise<void> {
  const { id, pendingEmail: email, pendingEntry: entry } = user;
  if (!email) return;
  // Of several accounts that wait for one e-mail the first gets it. The purge deletes the others: if they were deleted here,
  // two that are confirmed at once would deadlock.
  if (await isEmailTaken(email, transaction, id)) throw emailTakenMeanwhile();
  await user.update({ email, pendingEmail: null, pendingEntry: null }, { transaction });
  await EmailConfirmation.destroy({ where: { userId: id }, transaction });
  await PasswordReset.destroy({ where: { userId: id }, transaction });
  await enterTeam(user, entry ?? { teamName: null, invitationHash: null }, transaction);
}

async function insertProven(account: NewAccount, transaction: Transaction): Promise<User> {
  const { email, passwordHash, entry } = account;
  if (await isEmailTaken(email, transaction)) throw emailTaken();
  const user = await User.create({ id: newId('usr'), email, passwordHash }, { transaction });
  if (entry.invitationHash && !(await findPendingByHash(entry.invitationHash, transaction))) throw invalidInvitation();
  await enterTeam(user, entry, transaction);
  return user;
}

/** Inserts an unconfirmed account. After too many mails to one address none is sent; the person can ask for it later. */
async function insertUnproven(email: string, client: Client) {
  const isMailed = await isWithinLimits(['confirmationMails', email]);
  return async (account: NewAccount, transaction: Transaction): Promise<User> => {
    const user = await insertPending(account, transaction);
    if (isMailed) await mailConfirmation(user, client, transaction);
    return user;
  };
}

function refuseTwoTeams({ teamName, invitationToken }: SignUp): void {
  if (!teamName || !invitationToken) return;
  const message = 'Must be left out with an invitation, which leads to an existing team.';
  throw validationFailed([{ path: 'input.teamName', message }]);
}

function emailTaken(): CodedError {
  return new CodedError(
    'conflict',
    'This e-mail has an account already. Sign in with it; you can accept an invitation then.',
  );
}

/**
 * Mails the link that confirms the account's e-mail, or, when that e-mail has an account already, a mail that says so. Both
 * cases do the same amount of work, so that the time does not reveal which it was.
 */
async function mailConfirmation(user: User, { userAgent }: Client, transaction: Transaction): Promise<void> {
  const address = user.pendingEmail as string;
  const token = randomToken(32);
  const expiresAt = inSeconds(config.emailConfirmationSeconds);
  const row = { tokenHash: sha256(token), userId: user.id, expiresAt, createdAt: now() };
  await EmailConfirmation.create(row, { transaction });
  const reference = `sign_up:${sha256(row.tokenHash).slice(0, 32)}`;
  const isTaken = await isEmailTaken(address, transaction, user.id);
  const asked = { at: row.createdAt, browser: describeAgent(userAgent) };
  const link = { url: accountPage('confirm-email', token), expiresAt, ...asked };
  const mail = isTaken
    ? writeMail('account_exists', { address, reference }, {})
    : writeMail('confirm_email', { address, reference }, link);
  await queueMails(transaction, [mail]);
}

function invalidConfirmation(): CodedError {
  return new CodedError('invalid_token', 'This link was used before or has expired. Sign in and ask for a new one.');
}

function emailTakenMeanwhile(): CodedError {
  return new CodedError('conflict', 'Another account has confirmed this e-mail meanwhile. Sign in to that account.');
}

/**
 * Adds the account to the team of its invitation, or creates its own team. When the invitation has become invalid, the
 * account gets a team only where sign-up is open to everybody.
 */
async function enterTeam(user: User, entry: NewAccount['entry'], transaction: Transaction): Promise<void> {
  if (!entry.invitationHash) {
    await createTeamFor({ ownerId: user.id, name: entry.teamName }, transaction);
    return;
  }
  const invitation = await findPendingByHash(entry.invitationHash, transaction);
  if (invitation) await joinByInvitation(user, invitation, transaction);
  else if (signUpPolicy() === 'open') await createTeamFor({ ownerId: user.id, name: null }, transaction);
}
