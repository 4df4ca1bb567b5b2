import type { Principal } from '../../access/principal.ts';
import { now } from '../../kernel/clock.ts';
import type { Alert } from '../../models/Alert.ts';
import { changeAlert } from './changeAlert.ts';

/** Notes that somebody has seen the alert; safe to repeat, the first time stays. Throws `not_found`. */
export function acknowledgeAlert(principal: Principal, id: string): Promise<Alert> {
  return changeAlert(principal, id, 'alert.acknowledged', ({ acknowledgedAt }) =>
    acknowledgedAt ? null : { acknowledgedAt: now() },
  );
}
