import { raiseAlert } from '../alerts/raiseAlert.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { Membership, type Role } from '../models/Membership.ts';
import { type LeftTeam, User } from '../models/User.ts';

/** A person who left a team with their account, and comes back to it with the account if they restore it in time. */
export interface LeftMember {
  user: User;
  left: LeftTeam;
}

/** The people who may come back to the team, in no order. */
export async function leftMembersOf(teamId: string): Promise<LeftMember[]> {
  // Accounts that are deleted and can be restored are few; their own index finds them.
  const rows = await queryRaw<{ id: string }>(
    `SELECT id FROM users WHERE deletion_at > $1 AND CAST(left_teams AS TEXT) LIKE $2`,
    [sqlTime(clock.now()), `%"${teamId}"%`],
  );
  const users = await User.findAll({ where: { id: { [Op.in]: rows.map(({ id }) => id) } } });
  return users.flatMap((user) => leftMemberOf(user, teamId) ?? []);
}

/** The right of that person to come back to the team; null without one. */
export function leftMemberOf(user: User | null, teamId: string): LeftMember | null {
  if (!user?.deletionAt || user.deletionAt.getTime() <= clock.now()) return null;
  const left = user.leftTeams?.find((one) => one.teamId === teamId && !one.isDeleted);
  return left ? { user, left } : null;
}

/** Ends the right of a person, whose row is locked, to come back to a team. */
export async function endReturn({ user, left }: LeftMember, transaction: Transaction): Promise<void> {
  const leftTeams = (user.leftTeams ?? []).filter((one) => one !== left);
  await user.update({ leftTeams }, { transaction });
}

/** Sets the role with which a person, whose row is locked, comes back to a team. */
export async function confirmReturn({ user, left }: LeftMember, role: Role, transaction: Transaction): Promise<void> {
  const leftTeams = (user.leftTeams ?? []).map((one) => (one === left ? { ...left, role, isConfirmed: true } : one));
  await user.update({ leftTeams }, { transaction });
}

/**
 * The role with which a person comes back. An owner comes back as an admin, who cannot remove owners, unless an owner of the
 * team has set the role since: they left the team to the others, who may not want them back. Where nobody else owns the team,
 * they own it again.
 */
export function roleOfReturn({ role, isConfirmed }: LeftTeam, hasOwner: boolean): Role {
  return role === 'owner' && hasOwner && !isConfirmed ? 'admin' : role;
}

/** Whether somebody with an account that is not deleted owns the team, whose membership is locked. */
export async function hasPresentOwner(teamId: string, transaction: Transaction): Promise<boolean> {
  const owners = await Membership.findAll({ where: { teamId, role: 'owner' }, transaction });
  const where = { id: { [Op.in]: owners.map(({ userId }) => userId) }, deletionAt: null };
  return (await User.count({ where, transaction })) > 0;
}

/** Tells the members of a team, by an alert, that somebody has come back. Call it before they are a member. */
export async function alertAboutReturn(
  { user, left }: LeftMember,
  role: Role,
  transaction: Transaction,
): Promise<void> {
  const lower = role === left.role ? '' : ` They were ${left.role} before; an owner can make them one again.`;
  await raiseAlert(transaction, {
    teamId: left.teamId,
    projectId: null,
    kind: 'security',
    severity: 'warning',
    title: `${user.email} has come back to the team as ${role}`,
    message: `${user.email} had left the team by deleting their account, and has restored the account.${lower} Remove them if they should not have access.`,
    details: { user_id: user.id, role, former_role: left.role },
    incident: `member_returned:${newId('alt')}`,
  });
}
