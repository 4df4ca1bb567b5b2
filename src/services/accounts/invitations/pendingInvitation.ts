import { Op, type Transaction } from '../../../db/sequelize.ts';
import { now } from '../../../kernel/clock.ts';
import { CodedError } from '../../../kernel/errors.ts';
import { sha256 } from '../../../kernel/secrets.ts';
import { Invitation } from '../../../models/Invitation.ts';

/** The condition of invitations that are good now. */
export function isPending() {
  return { acceptedAt: null, revokedAt: null, expiresAt: { [Op.gt]: now() } };
}

/** The invitation of a token that is good now. Throws `invalid_token`. */
export async function findPending(token: string, transaction?: Transaction): Promise<Invitation> {
  const where = { tokenHash: sha256(token), ...isPending() };
  const invitation = await Invitation.findOne({ where, ...(transaction ? { transaction } : {}) });
  if (!invitation) throw usedUp();
  return invitation;
}

export function usedUp(): CodedError {
  return new CodedError(
    'invalid_token',
    'This invitation was used, taken back or replaced, or is too old. Ask for another one.',
  );
}
