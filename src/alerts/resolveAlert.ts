import type { Transaction } from '../db/sequelize.ts';
import { now } from '../kernel/clock.ts';
import { Alert } from '../models/Alert.ts';

/** What the alert of this incident is about is over. Nothing happens when there is none. */
export async function resolveAlert(transaction: Transaction, incident: string): Promise<void> {
  await Alert.update({ resolvedAt: now() }, { where: { incident, resolvedAt: null }, transaction });
}
