import { authorizeTeam, requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { database } from '../db/connection/database.ts';
import { type KeysetPosition, type Order, type Page, type PageRequest, rangeSql, readPage } from '../db/paging.ts';
import { literal, Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { now } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { Invitation } from '../models/Invitation.ts';
import { Membership, type Role } from '../models/Membership.ts';
import { User } from '../models/User.ts';
import { alertAboutLostScopes, endAccessOfMember, type LeftBehind, leftBehindBy } from '../projects/leftBehind.ts';
import { confirmReturn, endReturn, type LeftMember, leftMemberOf, leftMembersOf, roleOfReturn } from './leftMembers.ts';
import { lockOwnMembership, manages, refuseLastOwner, refuseUnlessManages } from './memberships.ts';

/** A member of a team, as other members see them. */
export interface Member {
  userId: string;
  email: string;
  role: Role;
  /** Whether they sign in with a second factor; null where the reader is neither owner nor admin. */
  secondFactor: boolean | null;
  /** Until when a person who has deleted their account may come back, with that role; null for members. */
  mayReturnUntil: Date | null;
  createdAt: Date;
}

interface RoleChange {
  teamId: string;
  userId: string;
  role: Role;
}

const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];

const JOINED: Order = { column: 'created_at', kind: 'time', hasNulls: false, direction: 'ASC', idColumn: 'user_id' };

/**
 * The members of a team, in the order of joining. Owners and admins also see people among them who have left with their account
 * and may come back.
 */
export async function listMembers(principal: Principal, teamId: string, request: PageRequest): Promise<Page<Member>> {
  const { roles } = requireSession(principal);
  await authorizeTeam(principal, 'projects:read', teamId);
  const mine = roles.get(teamId);
  const isManager = mine === 'owner' || mine === 'admin';
  const left = isManager ? (await leftMembersOf(teamId)).map(presentLeft) : [];
  const { data, nextCursor } = await readPage(JOINED, request, ['members', teamId], async (after, limit) => {
    const memberships = await Membership.findAll({
      where: { [Op.and]: [{ teamId }, literal(sqlAfter(after))] },
      order: [
        ['createdAt', 'ASC'],
        ['userId', 'ASC'],
      ],
      limit,
    });
    const present = await membersOf(memberships);
    const positions = [...present, ...left].map((member) => ({ id: member.userId, value: member.createdAt, member }));
    return positions
      .filter((one) => after === null || byJoining(one, after) > 0)
      .sort(byJoining)
      .slice(0, limit);
  });
  const members = data.map(({ member }) => member);
  return { data: isManager ? members : members.map((member) => ({ ...member, secondFactor: null })), nextCursor };
}

/**
 * Changes the role of a member, which takes effect with their next request; of somebody who has left with their account, the
 * role with which they may come back. Throws `not_found`, `insufficient_scope`, `team_read_only`, and `conflict` for the last
 * owner.
 */
export async function changeMemberRole(principal: Principal, { teamId, userId, role }: RoleChange): Promise<Member> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:write', teamId);
  return inTransaction(async (transaction) => {
    const { mine, membership, left } = await lockMember(principal, { teamId, userId }, transaction);
    const from = (membership ?? left.left).role;
    refuseUnlessManages(mine.role, from, role);
    if (membership?.role === role) return presentMember(membership, transaction);
    if (membership) {
      await refuseLastOwner(membership, transaction);
      await membership.update({ role }, { transaction });
      await revokeUnbacked(membership, transaction);
    } else await confirmReturn(left, role, transaction);
    const member = membership
      ? await presentMember(membership, transaction)
      : presentLeft(leftMemberOf(left.user, teamId) as LeftMember);
    const details = { changes: { role: { from, to: role } }, ...(membership ? {} : { reason: 'account_deleted' }) };
    const about = { teamId, projectId: null, subjectId: userId, subjectName: member.email };
    await recordAudit(transaction, principal, { ...about, action: 'member.role_changed', details });
    if (membership)
      await alertAboutLostScopes({ teamId, userId, email: member.email }, { from, to: role }, transaction);
    return member;
  });
}

/**
 * Removes a member from a team, which takes effect with their next request, or ends the right to come back of somebody who has
 * left with their account. Returns what they leave behind. Throws `not_found`, `insufficient_scope`, `team_read_only`, and
 * `conflict` for the last owner.
 */
export async function removeMember(principal: Principal, teamId: string, userId: string): Promise<LeftBehind> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:write', teamId);
  return inTransaction(async (transaction) => {
    const { mine, membership, left } = await lockMember(principal, { teamId, userId }, transaction);
    if (membership) {
      refuseUnlessManages(mine.role, membership.role);
      return endMembership(principal, membership, transaction);
    }
    const { role } = left.left;
    refuseUnlessManages(mine.role, role);
    await endReturn(left, transaction);
    const { email } = left.user;
    const about = { teamId, projectId: null, subjectId: userId, subjectName: email };
    const details = { role, reason: 'may_not_return' };
    await recordAudit(transaction, principal, { ...about, details, action: 'member.removed' });
    // Their keys have an end since they left, and an alert has named both.
    return leftBehindBy({ teamId, userId, email }, transaction);
  });
}

/**
 * Ends the signed-in person's own membership, also in survival mode. Returns what they leave behind. Throws `not_found`,
 * and `conflict` for the last owner.
 */
export async function leaveTeam(principal: Principal, teamId: string): Promise<LeftBehind> {
  if (!requireSession(principal).roles.has(teamId)) throw notFound('team');
  return inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, teamId, transaction);
    return endMembership(principal, mine, transaction);
  });
}

/**
 * Ends a membership whose team is locked by `lockMembers`; `keysEndAt` is the end of the keys that go with it. Returns what
 * the person leaves behind. Throws `conflict` for the last owner, unless the team may be left without one.
 */
export async function endMembership(
  principal: Principal,
  membership: Membership,
  transaction: Transaction,
  {
    reason,
    keysEndAt,
    mayBeOwnerless,
  }: { reason?: 'account_deleted'; keysEndAt?: Date; mayBeOwnerless?: boolean } = {},
): Promise<LeftBehind> {
  if (!mayBeOwnerless) await refuseLastOwner(membership, transaction);
  const { teamId, userId, role } = membership;
  const { email } = await presentMember(membership, transaction);
  await membership.destroy({ transaction });
  await revokeUnbacked({ teamId, userId, role: null }, transaction);
  const about = { teamId, projectId: null, subjectId: userId, subjectName: email };
  const details = { role, ...(reason ? { reason } : {}) };
  await recordAudit(transaction, principal, { ...about, details, action: 'member.removed' });
  return endAccessOfMember(principal, { teamId, userId, email }, transaction, keysEndAt);
}

/** A member, or somebody who may come back, with the membership of the signed-in person. */
type LockedMember = { mine: Membership } & (
  | { membership: Membership; left: null }
  | { membership: null; left: LeftMember }
);

/**
 * Locks another person and the membership of the team. The person comes first, as when they delete or restore their account:
 * either is seen here as a whole. Throws `not_found`.
 */
async function lockMember(
  principal: Principal,
  { teamId, userId }: { teamId: string; userId: string },
  transaction: Transaction,
): Promise<LockedMember> {
  const user = await User.findByPk(userId, { transaction, lock: transaction.LOCK.UPDATE });
  const mine = await lockOwnMembership(principal, teamId, transaction);
  const membership = await Membership.findOne({ where: { teamId, userId }, transaction });
  if (membership) return { mine, membership, left: null };
  const left = leftMemberOf(user, teamId);
  if (!left) throw notFound('member');
  return { mine, membership, left };
}

/**
 * Revokes the invitations that a person sent and could not send with their present role, which is null once they have left:
 * otherwise they could invite themselves before they lose the role.
 */
async function revokeUnbacked(
  { teamId, userId, role }: { teamId: string; userId: string; role: Role | null },
  transaction: Transaction,
): Promise<void> {
  const lost = ROLES.filter((other) => role === null || !manages(role, other));
  const where = { teamId, invitedBy: userId, role: { [Op.in]: lost }, acceptedAt: null, revokedAt: null };
  await Invitation.update({ revokedAt: now() }, { where, transaction });
}

function sqlAfter(after: KeysetPosition | null): string {
  return rangeSql(JOINED, { areNulls: false, after, through: null }, (value) => database().escape(value as string));
}

async function membersOf(memberships: Membership[]): Promise<Member[]> {
  const users = await User.findAll({ where: { id: { [Op.in]: memberships.map(({ userId }) => userId) } } });
  const byId = new Map(users.map((user) => [user.id, user]));
  return memberships.map((membership) => memberOf(membership, byId.get(membership.userId) ?? null));
}

/** The member as owners and admins see them. */
async function presentMember(membership: Membership, transaction: Transaction): Promise<Member> {
  return memberOf(membership, await User.findByPk(membership.userId, { transaction }));
}

function memberOf({ userId, role, createdAt }: Membership, user: User | null): Member {
  const person = { userId, email: user?.email ?? '', secondFactor: Boolean(user?.totpEnabledAt) };
  return { ...person, role, mayReturnUntil: null, createdAt };
}

/** Somebody who has left with their account; a team that can be asked has an owner. */
function presentLeft({ user, left }: LeftMember): Member {
  const person = { userId: user.id, email: user.email, secondFactor: user.totpEnabledAt !== null };
  const times = { mayReturnUntil: user.deletionAt, createdAt: new Date(left.joinedAt) };
  return { ...person, role: roleOfReturn(left, true), ...times };
}

function byJoining(one: KeysetPosition, other: KeysetPosition): number {
  const earlier = (one.value as Date).getTime() - (other.value as Date).getTime();
  return earlier || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}
