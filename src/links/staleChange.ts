import { type AuditActor, authorOfChange } from '../audit/auditService.ts';
import type { Transaction } from '../db/sequelize.ts';
import { CodedError } from '../kernel/errors.ts';
import type { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';
import { setUpdatedAt } from './linkStore.ts';

/**
 * `conflict` when a locked link is not as it was at `ifUpdatedAt`, naming who changed it if the audit log tells; null when
 * nobody changed it, or the caller does not mind.
 */
export async function staleRefusal(
  link: Link,
  project: Project,
  ifUpdatedAt: Date | null | undefined,
  transaction: Transaction,
): Promise<CodedError | null> {
  if (!ifUpdatedAt || ifUpdatedAt.getTime() === link.updatedAt.getTime()) return null;
  // A change is audited after it was written, in the same transaction; `separateTimes` may have added a millisecond.
  const change = { teamId: project.teamId, linkId: link.id, at: new Date(link.updatedAt.getTime() - 1) };
  const author = await authorOfChange(change, transaction);
  return new CodedError(
    'conflict',
    `The link was changed${author ? ` by ${nameOf(author)}` : ''} at ${link.updatedAt.toISOString()}, after it was read. Read it again before you change it.`,
  );
}

/** `ifUpdatedAt` tells changes apart by their times, so a second one within a millisecond gets a later time. */
export async function separateTimes(link: Link, before: Date, transaction: Transaction): Promise<void> {
  if (link.updatedAt.getTime() !== before.getTime()) return;
  const updatedAt = new Date(before.getTime() + 1);
  await setUpdatedAt(link.id, updatedAt, transaction);
  link.set('updatedAt', updatedAt, { raw: true });
}

function nameOf({ kind, name }: AuditActor): string {
  if (kind === 'operator') return 'the operator of this installation';
  if (kind === 'key') return name ? `the key "${name}"` : 'a deleted key';
  return name ?? 'a former user';
}
