import type { Principal } from '../../access/principal.ts';
import type { AuditAction } from '../../audit/actions.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { notFound } from '../../kernel/errors.ts';
import { Alert } from '../../models/Alert.ts';
import { findOwned } from '../findOwned.ts';

/** Writes what `decide` makes of the alert as it is now, and who did it; null: it stays. Throws `not_found`. */
export async function changeAlert(
  principal: Principal,
  id: string,
  action: AuditAction,
  decide: (alert: Alert) => Partial<Alert> | null,
): Promise<Alert> {
  const found = await findOwned(Alert, principal, 'alerts:write', id, 'alert');
  return inTransaction(async (transaction) => {
    const alert = await Alert.findByPk(found.id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!alert) throw notFound('alert');
    const change = decide(alert);
    if (!change) return alert;
    const { teamId, projectId, title } = alert;
    await recordAudit(transaction, principal, { action, teamId, projectId, subjectId: alert.id, subjectName: title });
    return alert.update(change, { transaction });
  });
}
