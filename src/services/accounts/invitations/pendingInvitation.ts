import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Op, type Transaction } from '../../../db/sequelize.ts';
import { now } from '../../../kernel/clock.ts';
import { CodedError } from '../../../kernel/errors.ts';
import { macKey, macKeys, sha256 } from '../../../kernel/secrets.ts';
import { Invitation } from '../../../models/Invitation.ts';

/** The condition of invitations that are good now. */
export function isPending() {
  return { acceptedAt: null, revokedAt: null, expiresAt: { [Op.gt]: now() } };
}

/** The invitation of a token that is good now, mailed or handed over. Throws `invalid_token`. */
export async function findPending(token: string, transaction?: Transaction): Promise<Invitation> {
  const invitation = await findInvitation(hashOfInvitation(token), transaction);
  if (!invitation) throw usedUp();
  return invitation;
}

/** The invitation with that hash, if it is good now. */
export function findInvitation(tokenHash: string, transaction?: Transaction): Promise<Invitation | null> {
  return Invitation.findOne({ where: { tokenHash, ...isPending() }, ...(transaction ? { transaction } : {}) });
}

const PURPOSE = 'mailed invitations';
/** Characters of 32 bytes in base64url. */
const TOKEN_LENGTH = 43;

/**
 * The token as it is mailed: with a proof that only the mail holds. Whoever invites is shown the token as well, and must not
 * be able to make an account in the name of the person they invite.
 */
export function mailedToken(token: string): string {
  return token + proofOf(token, macKey(PURPOSE)).toString('base64url');
}

/** Whether the token came by mail, so that the e-mail needs no confirmation. */
export function isFromMail(given: string): boolean {
  const [token, proof] = [given.slice(0, TOKEN_LENGTH), Buffer.from(given.slice(TOKEN_LENGTH), 'base64url')];
  return macKeys(PURPOSE).some((key) => {
    const right = proofOf(token, key);
    return right.length === proof.length && timingSafeEqual(right, proof);
  });
}

/** As it is stored. */
export function hashOfInvitation(given: string): string {
  return sha256(isFromMail(given) ? given.slice(0, TOKEN_LENGTH) : given);
}

function proofOf(token: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(token).digest().subarray(0, 16);
}

export function usedUp(): CodedError {
  return new CodedError(
    'invalid_token',
    'This invitation was used, taken back or replaced, or is too old. Ask for another one.',
  );
}
