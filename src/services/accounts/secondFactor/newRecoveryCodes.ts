import type { Principal } from '../../../access/principal.ts';
import { noteAccountChange } from '../noteAccountChange.ts';
import { replaceRecoveryCodes } from './recoveryCodes.ts';
import { withSecondFactor } from './withSecondFactor.ts';

/** New recovery codes in place of the old ones. Throws `conflict` when no second factor is on, `invalid_credentials`. */
export function newRecoveryCodes(principal: Principal, proof: { password: string; code: string }): Promise<string[]> {
  return withSecondFactor(principal, proof, async (user, transaction) => {
    await noteAccountChange(transaction, user, 'account.recovery_codes_made');
    return replaceRecoveryCodes(user.id, transaction);
  });
}
