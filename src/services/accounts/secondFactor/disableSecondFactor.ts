import type { Principal } from '../../../access/principal.ts';
import { noteAccountChange } from '../noteAccountChange.ts';
import { clearSecondFactor } from './clearSecondFactor.ts';
import { withSecondFactor } from './withSecondFactor.ts';

/** Switches the second factor off. Throws `conflict` when it is not on, `invalid_credentials`, `rate_limited`. */
export function disableSecondFactor(principal: Principal, proof: { password: string; code: string }): Promise<void> {
  return withSecondFactor(principal, proof, async (user, transaction) => {
    await clearSecondFactor(user, transaction);
    await noteAccountChange(transaction, user, 'account.second_factor_off');
  });
}
