import { lockMembers, requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import type { Transaction } from '../db/sequelize.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import { Membership, type Role } from '../models/Membership.ts';

/** Roles that may invite, change and remove members. */
const MANAGERS: readonly Role[] = ['owner', 'admin'];

/**
 * Locks the membership of the team and returns that of the signed-in person, whose role may have changed since the request
 * began. Throws `not_found`.
 */
export async function lockOwnMembership(
  principal: Principal,
  teamId: string,
  transaction: Transaction,
): Promise<Membership> {
  const { userId } = requireSession(principal);
  await lockMembers(teamId, transaction);
  const mine = await Membership.findOne({ where: { teamId, userId }, transaction });
  if (!mine) throw notFound('team');
  return mine;
}

/** Whether `role` manages members with the role `other`: owners manage everybody, admins everybody but owners. */
export function manages(role: Role, other: Role): boolean {
  return role === 'owner' || (role === 'admin' && other !== 'owner');
}

/** Throws `insufficient_scope` unless `role` manages all the other roles. */
export function refuseUnlessManages(role: Role, ...others: Role[]): void {
  if (!MANAGERS.includes(role)) {
    throw new CodedError('insufficient_scope', `Only owners and admins may do this; your role is ${role}.`);
  }
  if (!others.every((other) => manages(role, other))) {
    throw new CodedError('insufficient_scope', 'Only owners may add, change or remove owners; your role is admin.');
  }
}

/** Throws `conflict` for the only owner of a team, whose membership must be locked. */
export async function refuseLastOwner({ teamId, role }: Membership, transaction: Transaction): Promise<void> {
  if (role !== 'owner') return;
  if ((await Membership.count({ where: { teamId, role: 'owner' }, transaction })) > 1) return;
  throw new CodedError('conflict', 'A team must have an owner. Make somebody else an owner first.');
}
