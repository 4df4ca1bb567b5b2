import { authorizeTeam, requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { ROLE_SCOPES } from '../access/scopes.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { database } from '../db/connection/database.ts';
import { type KeysetPosition, type Order, type Page, type PageRequest, rangeSql, readPage } from '../db/paging.ts';
import { literal, Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { now } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import type { ApiKey } from '../models/ApiKey.ts';
import { Invitation } from '../models/Invitation.ts';
import { Membership, type Role } from '../models/Membership.ts';
import { User } from '../models/User.ts';
import { alertAboutKeysOfMember, endKeysOfMember } from '../projects/keysOfMember.ts';
import { findMembership, lockOwnMembership, manages, refuseLastOwner, refuseUnlessManages } from './memberships.ts';

/** A member of a team, as other members see them. */
export interface Member {
  userId: string;
  email: string;
  role: Role;
  /** Whether they sign in with a second factor; null where the reader is neither owner nor admin. */
  secondFactor: boolean | null;
  createdAt: Date;
}

interface RoleChange {
  teamId: string;
  userId: string;
  role: Role;
}

const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];

const JOINED: Order = { column: 'created_at', kind: 'time', hasNulls: false, direction: 'ASC', idColumn: 'user_id' };

/** The members of a team, in the order of joining. */
export async function listMembers(principal: Principal, teamId: string, request: PageRequest): Promise<Page<Member>> {
  const { roles } = requireSession(principal);
  await authorizeTeam(principal, 'projects:read', teamId);
  const { data, nextCursor } = await readPage(JOINED, request, ['members', teamId], async (after, limit) => {
    const rows = await Membership.findAll({
      where: { [Op.and]: [{ teamId }, literal(sqlAfter(after))] },
      order: [
        ['createdAt', 'ASC'],
        ['userId', 'ASC'],
      ],
      limit,
    });
    return rows.map((membership) => ({ id: membership.userId, value: membership.createdAt, membership }));
  });
  const mine = roles.get(teamId);
  const isManager = mine === 'owner' || mine === 'admin';
  const members = await membersOf(data.map(({ membership }) => membership));
  return { data: isManager ? members : members.map((member) => ({ ...member, secondFactor: null })), nextCursor };
}

/**
 * Changes the role of a member, which takes effect with their next request. Throws `not_found`, `insufficient_scope`,
 * `team_read_only`, and `conflict` for the last owner.
 */
export async function changeMemberRole(principal: Principal, { teamId, userId, role }: RoleChange): Promise<Member> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:write', teamId);
  return inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, teamId, transaction);
    const membership = await findMembership(teamId, userId, transaction);
    refuseUnlessManages(mine.role, membership.role, role);
    const member = await presentMember(membership, transaction);
    if (membership.role === role) return member;
    await refuseLastOwner(membership, transaction);
    const from = membership.role;
    await membership.update({ role }, { transaction });
    await revokeUnbacked(membership, transaction);
    const about = { teamId, projectId: null, subjectId: userId, subjectName: member.email };
    const details = { changes: { role: { from, to: role } } };
    await recordAudit(transaction, principal, { ...about, action: 'member.role_changed', details });
    const createsKeys = (one: Role) => ROLE_SCOPES[one].includes('keys:write');
    if (createsKeys(from) && !createsKeys(role)) {
      await alertAboutKeysOfMember({ teamId, userId, email: member.email }, role, transaction);
    }
    return { ...member, role };
  });
}

/**
 * Removes a member from a team, which takes effect with their next request. Returns the keys that end with the membership:
 * see `endKeysOfMember`. Throws `not_found`, `insufficient_scope`, `team_read_only`, and `conflict` for the last owner.
 */
export async function removeMember(principal: Principal, teamId: string, userId: string): Promise<ApiKey[]> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:write', teamId);
  return inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, teamId, transaction);
    const membership = await findMembership(teamId, userId, transaction);
    refuseUnlessManages(mine.role, membership.role);
    return endMembership(principal, membership, transaction);
  });
}

/**
 * Ends the signed-in person's own membership, also in survival mode. Returns the keys that end with it. Throws `not_found`,
 * and `conflict` for the last owner.
 */
export async function leaveTeam(principal: Principal, teamId: string): Promise<ApiKey[]> {
  if (!requireSession(principal).roles.has(teamId)) throw notFound('team');
  return inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, teamId, transaction);
    return endMembership(principal, mine, transaction);
  });
}

/**
 * Ends a membership whose team is locked by `lockMembers`; `keysEndAt` is the end of the keys that go with it. Returns these
 * keys. Throws `conflict` for the last owner, unless the team may be left without one.
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
): Promise<ApiKey[]> {
  if (!mayBeOwnerless) await refuseLastOwner(membership, transaction);
  const { teamId, userId, role } = membership;
  const { email } = await presentMember(membership, transaction);
  await membership.destroy({ transaction });
  await revokeUnbacked({ teamId, userId, role: null }, transaction);
  const about = { teamId, projectId: null, subjectId: userId, subjectName: email };
  const details = { role, ...(reason ? { reason } : {}) };
  await recordAudit(transaction, principal, { ...about, details, action: 'member.removed' });
  return endKeysOfMember(principal, { teamId, userId, email }, transaction, keysEndAt);
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
  return { userId, email: user?.email ?? '', role, secondFactor: Boolean(user?.totpEnabledAt), createdAt };
}
