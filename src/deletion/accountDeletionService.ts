import {
  accountDeleted,
  lockMembers,
  refuseInSurvivalMode,
  requirePendingSession,
  requireSession,
} from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { ROLE_SCOPES } from '../access/scopes.ts';
import { undoableChanges } from '../accounts/emailChangeService.ts';
import { alertAboutReturn, hasPresentOwner, type LeftMember, roleOfReturn } from '../accounts/leftMembers.ts';
import { endMembership } from '../accounts/memberService.ts';
import { type Proof, proveSelf } from '../accounts/proof.ts';
import { endOfSecondFactorUndo } from '../accounts/secondFactorUndoService.ts';
import { endAllSessions } from '../accounts/sessionService.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction, lockRow } from '../db/transactions.ts';
import { clock, DAY_MS, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { queueMails, writeMail } from '../mail/mailQueue.ts';
import { EmailChange } from '../models/EmailChange.ts';
import { Membership } from '../models/Membership.ts';
import { PasswordReset } from '../models/PasswordReset.ts';
import { Team } from '../models/Team.ts';
import { type LeftTeam, User } from '../models/User.ts';
import { endOfMemberKeys, keepKeysOfMember } from '../projects/keysOfMember.ts';
import { mailAccountDeletion } from './mailDeletion.ts';
import { switchTeamOff, switchTeamOn } from './teamDeletionService.ts';
import { type AccountTeam, refuseOwnerless, teamsOfAccount } from './teamsOfAccount.ts';

/** What a person leaves with their account. */
export interface AccountContents {
  teams: AccountTeam[];
}

/** A deleted account: until when it can be restored, and the teams that its person has left. */
export interface AccountDeletion extends AccountContents {
  deletionAt: Date;
}

/** What the signed-in person would leave if they deleted their account. */
export async function readAccountContents(principal: Principal): Promise<AccountContents> {
  const { userId } = requireSession(principal);
  return { teams: await inTransaction((transaction) => teamsOfAccount(userId, transaction)) };
}

/**
 * Deletes the account of the signed-in person: they leave their teams, deleted ones too, and all sessions end at once. For
 * DELETION_DAYS, and as long as a change of their e-mail or a second factor can be undone, they can restore it. What they made in
 * their teams stays there. Throws what `proveSelf` throws, and `conflict` for the only owner of a team with other members
 * and for the last account of the installation.
 */
export async function deleteAccount(principal: Principal, proof: Proof): Promise<AccountDeletion> {
  const proven = await proveSelf(principal, proof);
  const first = (transaction: Transaction) => refuseLastAccount(proven.user.id, transaction);
  return proven.change(async (user, transaction) => {
    if (user.deletionAt) throw accountDeleted();
    const memberships = await lockMemberships(user.id, transaction);
    const teams = await teamsOfAccount(user.id, transaction);
    refuseOwnerless(teams);
    const changes = await undoableChanges(user.id, transaction);
    const factorUndoneUntil = await endOfSecondFactorUndo(user.id, transaction);
    const deletionAt = endOfRestoring([...changes.map(({ expiresAt }) => expiresAt), factorUndoneUntil ?? now()]);
    const keysEndAt = endOfMemberKeys();
    const leftTeams: LeftTeam[] = [];
    for (const membership of memberships) {
      const left = leftTeamOf(membership, keysEndAt);
      const team = teams.find(({ id }) => id === membership.teamId);
      if (team?.isOnlyMember) {
        // The membership stays: with it the team is restored, or purged.
        await deleteLonelyTeam(principal, membership.teamId, deletionAt, transaction);
        leftTeams.push({ ...left, isDeleted: true });
      } else {
        // A team that was deleted before may lose its only owner: it stays deleted, unless the account is restored in time.
        const ended = { reason: 'account_deleted', keysEndAt, mayBeOwnerless: !team } as const;
        await endMembership(principal, membership, transaction, ended);
        leftTeams.push(left);
      }
    }
    await user.update({ deletionAt, leftTeams }, { transaction });
    await EmailChange.destroy({ where: { userId: user.id, changedAt: null }, transaction });
    await PasswordReset.destroy({ where: { userId: user.id }, transaction });
    await endAllSessions(user.id, transaction);
    await mailAccountDeletion({ user, deletionAt, changes, factorUndoneUntil }, transaction);
    return { deletionAt, teams };
  }, first);
}

/**
 * Restores the deleted account of the signed-in person: they are a member again of the teams that still exist, also of those
 * that are deleted and can be restored, with their roles, and their keys that have not ended go on. Returns the id of the
 * account. Throws `conflict` for an account that is not deleted, and when the time has passed.
 */
export async function restoreAccount(principal: Principal): Promise<string> {
  const { userId } = requirePendingSession(principal);
  return inTransaction(async (transaction) => {
    const user = await User.findByPk(userId, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
    if (!user.deletionAt) throw new CodedError('conflict', 'Your account is not deleted.');
    if (user.deletionAt <= now()) {
      throw new CodedError('conflict', 'The time in which your account could be restored has passed.');
    }
    await rejoin(principal, user, transaction);
    await user.update({ deletionAt: null, leftTeams: null }, { transaction });
    const recipient = { address: user.email, reference: `account_restored:${user.id}:${newId('aud')}` };
    await queueMails(transaction, [writeMail('account_restored', recipient, {})]);
    return user.id;
  });
}

/**
 * When an account that is deleted now goes for good: after DELETION_DAYS, and not before the links end that undo a change of
 * its e-mail or a second factor, because an intruder may have made all of it.
 */
function endOfRestoring(undoEnds: readonly Date[]): Date {
  const ends = undoEnds.map((end) => end.getTime());
  return new Date(Math.max(clock.now() + config.deletionDays * DAY_MS, ...ends));
}

/** Deletes a team that has no other member. Throws `team_read_only` in survival mode, from which only its owner or the operator can take it. */
async function deleteLonelyTeam(
  principal: Principal,
  teamId: string,
  deletionAt: Date,
  transaction: Transaction,
): Promise<void> {
  const team = await Team.findByPk(teamId, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
  refuseInSurvivalMode(team);
  await switchTeamOff(principal, team, deletionAt, transaction);
}

/** Throws `conflict` unless another account of the installation can be used. Of two at once the second is refused. */
async function refuseLastAccount(userId: string, transaction: Transaction): Promise<void> {
  const others = { id: { [Op.ne]: userId }, pendingEmail: null, deletionAt: null };
  const findOther = () => User.findOne({ attributes: ['id'], where: others, order: [['id', 'ASC']], transaction });
  for (let other = await findOther(); other; other = await findOther()) {
    // In sorted order, so that two who rely on each other's accounts do not wait for each other.
    for (const id of [userId, other.id].sort()) await lockRow('users', id, transaction);
    if ((await User.count({ where: { ...others, id: other.id }, transaction })) > 0) return;
  }
  throw new CodedError(
    'conflict',
    'This is the last account of the installation: without it nobody could sign in. Invite somebody else first.',
  );
}

/** The memberships of a person whose row is locked, with the members of all of these teams. */
async function lockMemberships(userId: string, transaction: Transaction): Promise<Membership[]> {
  // Nobody adds the person to a team while their row is locked, but others may remove them until their team is locked.
  const found = await Membership.findAll({ where: { userId }, transaction });
  await lockTeams(
    found.map(({ teamId }) => teamId),
    transaction,
  );
  return Membership.findAll({ where: { userId }, transaction });
}

/** In sorted order, so that two who share several teams do not wait for each other. */
async function lockTeams(teamIds: readonly string[], transaction: Transaction): Promise<void> {
  for (const teamId of [...teamIds].sort()) await lockMembers(teamId, transaction);
}

function leftTeamOf({ teamId, role, mailKinds, createdAt }: Membership, keysEndAt: Date): LeftTeam {
  return { teamId, role, mailKinds, joinedAt: createdAt.toISOString(), keysEndAt: keysEndAt.toISOString() };
}

async function rejoin(principal: Principal, user: User, transaction: Transaction): Promise<void> {
  const memberships = user.leftTeams ?? [];
  await lockTeams(
    memberships.map(({ teamId }) => teamId),
    transaction,
  );
  for (const { teamId } of memberships.filter(({ isDeleted }) => isDeleted)) {
    const team = await Team.unscoped().findByPk(teamId, { transaction, lock: transaction.LOCK.UPDATE });
    // The account comes back without a team whose purge has begun by another process's clock.
    if (team && !team.purgeBeganAt) await switchTeamOn(principal, team, transaction);
  }
  const left = memberships.filter(({ isDeleted }) => !isDeleted);
  // A team that was deleted before or since may be restored later; one whose time is over is about to be purged.
  const where = {
    id: left.map(({ teamId }) => teamId),
    deletionAt: { [Op.or]: [{ [Op.is]: null }, { [Op.gt]: now() }] },
  };
  const teams = await Team.unscoped().findAll({ where, transaction });
  const present = new Map(teams.map((team) => [team.id, team]));
  for (const one of left) {
    const team = present.get(one.teamId);
    if (team) await rejoinTeam(principal, { user, left: one, team }, transaction);
  }
}

/** Makes a person a member again, and alerts the others of a team that is not deleted. */
async function rejoinTeam(
  principal: Principal,
  { user, left, team }: LeftMember & { team: Team },
  transaction: Transaction,
): Promise<void> {
  const { teamId, mailKinds, joinedAt, keysEndAt } = left;
  const role = roleOfReturn(left, await hasPresentOwner(teamId, transaction));
  if (!team.deletionAt) await alertAboutReturn({ user, left }, role, transaction);
  const row = { teamId, userId: user.id, role, mailKinds, createdAt: new Date(joinedAt) };
  await Membership.create(row, { transaction });
  const about = { teamId, projectId: null, subjectId: user.id, subjectName: user.email };
  const former = role === left.role ? {} : { former_role: left.role };
  const details = { role, ...former, reason: 'account_restored' };
  await recordAudit(transaction, principal, { ...about, action: 'member.joined', details });
  // Somebody has given the person a role that creates no keys: they get none back.
  if (left.isConfirmed && !ROLE_SCOPES[role].includes('keys:write')) return;
  await keepKeysOfMember(principal, { teamId, userId: user.id, email: user.email }, new Date(keysEndAt), transaction);
}
