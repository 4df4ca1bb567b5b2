import type { Principal } from '../../access/principal.ts';
import { now } from '../../kernel/clock.ts';
import type { Alert } from '../../models/Alert.ts';
import { changeAlert } from './changeAlert.ts';

/**
 * Somebody says that what the alert is about is over; safe to repeat. If it is not, there is a new alert with the next
 * sign of it. Throws `not_found`.
 */
export function closeAlert(principal: Principal, id: string): Promise<Alert> {
  return changeAlert(principal, id, 'alert.resolved', ({ resolvedAt }) => (resolvedAt ? null : { resolvedAt: now() }));
}
