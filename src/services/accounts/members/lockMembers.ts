import { requireSession } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { lockNames } from '../../../db/lockNames.ts';
import type { Transaction } from '../../../db/sequelize.ts';
import { notFound } from '../../../kernel/errors.ts';
import { Membership } from '../../../models/Membership.ts';

/** Waits until nobody else changes who belongs to the team, and keeps it so until the transaction ends. */
export async function lockMembers(teamId: string, transaction: Transaction): Promise<void> {
  await lockNames([`members of ${teamId}`], transaction);
}

/**
 * The same, and gives the signed-in person's own membership as it is by then: their role may be another than when the
 * request began. Throws `not_found`.
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

/** Another's membership, after `lockOwnMembership`. Throws `not_found`. */
export async function findMembership(teamId: string, userId: string, transaction: Transaction): Promise<Membership> {
  const membership = await Membership.findOne({ where: { teamId, userId }, transaction });
  if (!membership) throw notFound('member');
  return membership;
}
