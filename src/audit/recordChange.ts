import type { Transaction } from '../db/sequelize.ts';
import { auditedChanges } from './auditedChanges.ts';
import { type Actor, type NewAuditEntry, recordAudit } from './recordAudit.ts';

interface Change<State> extends Omit<NewAuditEntry, 'details'> {
  before: State;
  after: State;
  /** Those that may be shown to everybody in the team. */
  fields: readonly (keyof State & string)[];
}

/** Notes which fields of a thing were changed, in the transaction of the change; nothing when none is different. */
export async function recordChange<State extends object>(
  transaction: Transaction,
  actor: Actor,
  { before, after, fields, ...entry }: Change<State>,
): Promise<void> {
  const changes = auditedChanges(before, after, fields);
  if (Object.keys(changes).length > 0) await recordAudit(transaction, actor, { ...entry, details: { changes } });
}
