import type { Principal } from '../access/principal.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { AuditEntry } from '../models/AuditEntry.ts';
import type { AuditAction } from './actions.ts';

/** Whoever has the machine. */
export type Actor = Principal | 'operator';

export interface NewAuditEntry {
  action: AuditAction;
  teamId: string;
  /** Null: of the whole team. */
  projectId: string | null;
  subjectId?: string | null;
  /** What people call it. */
  subjectName?: string | null;
  /** What changed; never a secret. */
  details?: Record<string, unknown>;
}

const COLUMNS = {
  id: 'text',
  team_id: 'text',
  project_id: 'text',
  actor_kind: 'text',
  actor_id: 'text',
  action: 'text',
  subject_id: 'text',
  subject_name: 'text',
  details: 'json',
  created_at: 'time',
} as const;
const NAMES = Object.keys(COLUMNS).join(', ');

/** Notes who changed what, in the transaction of the change. */
export async function recordAudit(transaction: Transaction, actor: Actor, entry: NewAuditEntry): Promise<void> {
  await recordAudits(transaction, [{ ...entry, actor }]);
}

/** The same for many changes, each with its actor, in one statement. */
export async function recordAudits(
  transaction: Transaction,
  entries: readonly (NewAuditEntry & { actor: Actor })[],
): Promise<void> {
  const createdAt = sqlTime(clock.now());
  await withJsonRows(
    COLUMNS,
    entries.map(({ actor, teamId, projectId, action, subjectId = null, subjectName = null, details = {} }) => {
      const { actorKind, actorId } = actorOf(actor);
      const subject = [subjectId, subjectName, JSON.stringify(details)];
      return [newId('aud'), teamId, projectId, actorKind, actorId, action, ...subject, createdAt];
    }),
    `INSERT INTO audit_entries (${NAMES}) SELECT ${NAMES} FROM given`,
    transaction,
  );
}

function actorOf(actor: Actor): Pick<AuditEntry, 'actorKind' | 'actorId'> {
  if (actor === 'operator') return { actorKind: 'operator', actorId: null };
  if (actor.kind === 'nobody') return { actorKind: 'nobody', actorId: null };
  return actor.kind === 'key'
    ? { actorKind: 'key', actorId: actor.keyId }
    : { actorKind: 'user', actorId: actor.userId };
}
