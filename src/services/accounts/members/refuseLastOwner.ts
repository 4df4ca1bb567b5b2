import type { Transaction } from '../../../db/sequelize.ts';
import { CodedError } from '../../../kernel/errors.ts';
import { Membership } from '../../../models/Membership.ts';

/** Throws `conflict` when that member is the only owner of their team, whose members are locked. */
export async function refuseLastOwner({ teamId, role }: Membership, transaction: Transaction): Promise<void> {
  if (role !== 'owner') return;
  if ((await Membership.count({ where: { teamId, role: 'owner' }, transaction })) > 1) return;
  throw new CodedError('conflict', 'A team has an owner at all times. Make somebody else an owner first.');
}
