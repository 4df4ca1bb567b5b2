import type { Principal } from '../../access/principal.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { now } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import { Alert } from '../../models/Alert.ts';
import { findOwned } from '../findOwned.ts';

/** Notes that somebody has seen the alert; safe to repeat, the first time stays. Throws `not_found`. */
export async function acknowledgeAlert(principal: Principal, id: string): Promise<Alert> {
  const found = await findOwned(Alert, principal, 'alerts:write', id, 'alert');
  return inTransaction(async (transaction) => {
    const alert = await Alert.findByPk(found.id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!alert) throw notFound('alert');
    return alert.acknowledgedAt ? alert : alert.update({ acknowledgedAt: now() }, { transaction });
  });
}
