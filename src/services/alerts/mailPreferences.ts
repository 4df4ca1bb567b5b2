import { requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { wantsMail } from '../../alerts/wantsMail.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Alert } from '../../models/Alert.ts';
import { Membership } from '../../models/Membership.ts';
import { ALERT_KINDS } from './alertKinds.ts';

/** Whether alerts of a kind are mailed to somebody. */
export interface MailPreference {
  kind: Alert['kind'];
  about: string;
  on: boolean;
}

/** Which alerts of a team are mailed to the signed-in member. Throws `not_found`. */
export async function mailPreferences(principal: Principal, teamId: string): Promise<MailPreference[]> {
  const { userId } = requireSession(principal);
  const membership = await Membership.findOne({ where: { teamId, userId } });
  return preferencesOf(membership);
}

/**
 * Chooses the kinds that are mailed to the signed-in member; null: as their role has it. It is their own, so that neither
 * role nor survival mode is in the way. Throws `not_found`.
 */
export async function setMailPreferences(
  principal: Principal,
  teamId: string,
  kinds: string[] | null,
): Promise<MailPreference[]> {
  const { userId } = requireSession(principal);
  return inTransaction(async (transaction) => {
    const membership = await Membership.findOne({
      where: { teamId, userId },
      transaction,
      lock: transaction.LOCK.UPDATE,
    });
    await membership?.update({ mailKinds: kinds }, { transaction });
    return preferencesOf(membership);
  });
}

function preferencesOf(membership: Membership | null): MailPreference[] {
  if (!membership) throw notFound('team');
  return (Object.entries(ALERT_KINDS) as [Alert['kind'], string][]).map(([kind, about]) => ({
    kind,
    about,
    on: wantsMail(membership, kind),
  }));
}
