import { isDeepStrictEqual } from 'node:util';
import type { Principal, Via } from '../access/principal.ts';
import { deleteOldest } from '../db/deleteOldest.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { insertRows } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock, DAY_MS, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { firstIdAt, newId } from '../kernel/ids.ts';
import { snakeCase } from '../kernel/wire.ts';
import { AuditEntry } from '../models/AuditEntry.ts';
import type { AuditAction } from './actions.ts';

/** The author of a change. `operator`: a command of `npm run admin`, or the product itself. */
export type Actor = Principal | 'operator';

export interface NewAuditEntry {
  action: AuditAction;
  teamId: string;
  /** Null for what concerns the whole team. */
  projectId: string | null;
  subjectId?: string | null;
  /** The name that people know the subject by. */
  subjectName?: string | null;
  /** What changed; never a secret. */
  details?: Record<string, unknown>;
}

interface Change<State> extends Omit<NewAuditEntry, 'details'> {
  before: State;
  after: State;
  /** Fields that every member of the team may see. */
  fields: readonly (keyof State & string)[];
}

/** Changes by field, in the spelling of the wire. */
type AuditedChanges = Record<string, { from: unknown; to: unknown }>;

/** Characters of a value that are kept: enough to recognize it, not to restore it. */
const MAX_VALUE_LENGTH = 300;

/** Records who changed what, in the transaction of the change. */
export async function recordAudit(transaction: Transaction, actor: Actor, entry: NewAuditEntry): Promise<void> {
  await recordAudits(transaction, [{ ...entry, actor }]);
}

/** Records several changes, each with its actor, in one statement. */
export async function recordAudits(
  transaction: Transaction,
  entries: readonly (NewAuditEntry & { actor: Actor })[],
): Promise<void> {
  const createdAt = now();
  const rows = entries.map(({ actor, details, ...entry }) => ({
    id: newId('aud'),
    ...entry,
    details: { ...details, ...viaOf(actor) },
    ...actorOf(actor),
    createdAt,
  }));
  await insertRows(AuditEntry, rows, { transaction });
}

/** Records which of these fields were changed, in the transaction of the change; nothing when none differs. */
export async function recordChange<State extends object>(
  transaction: Transaction,
  actor: Actor,
  { before, after, fields, ...entry }: Change<State>,
): Promise<void> {
  const changes = diffFields(before, after, fields);
  if (Object.keys(changes).length > 0) await recordAudit(transaction, actor, { ...entry, details: { changes } });
}

/** The changes with long values truncated; of a long JSON value the beginning of its text is kept. */
export function truncateChanges(changes: object): AuditedChanges {
  return Object.fromEntries(
    Object.entries(changes as AuditedChanges).map(([field, { from, to }]) => [
      field,
      { from: truncate(from), to: truncate(to) },
    ]),
  );
}

/** Deletes up to `batch` audit entries older than AUDIT_RETENTION_DAYS and returns whether there may be more. */
export async function purgeAudit(batch: number): Promise<boolean> {
  const before = clock.now() - config.auditRetentionDays * DAY_MS;
  const values = [firstIdAt('aud', before), sqlTime(before)];
  // Ids are in the order of time, so that the oldest entries are found without an index of their own.
  const expired = { table: 'audit_entries', where: 'id < $1 AND created_at < $2', values, oldestBy: 'id' };
  return (await deleteOldest({ ...expired, batch })) === batch;
}

/** A key of an assistant: by which tool, and for which program. */
function viaOf(actor: Actor): { via?: Via } {
  return actor !== 'operator' && actor.kind === 'key' && actor.via ? { via: actor.via } : {};
}

function actorOf(actor: Actor): Pick<AuditEntry, 'actorKind' | 'actorId'> {
  if (actor === 'operator') return { actorKind: 'operator', actorId: null };
  if (actor.kind === 'nobody') return { actorKind: 'nobody', actorId: null };
  return actor.kind === 'key'
    ? { actorKind: 'key', actorId: actor.keyId }
    : { actorKind: 'user', actorId: actor.userId };
}

/** The differences between two states in these fields, which never hold secrets. */
function diffFields<State extends object>(
  before: State,
  after: State,
  fields: readonly (keyof State & string)[],
): AuditedChanges {
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return truncateChanges(
    Object.fromEntries(changed.map((field) => [snakeCase(field), { from: before[field], to: after[field] }])),
  );
}

function truncate(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= MAX_VALUE_LENGTH ? value : `${text.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…`;
}
