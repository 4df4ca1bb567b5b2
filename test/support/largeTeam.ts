import { randomBytes } from 'node:crypto';
import { insertRows } from '../../src/db/rows.ts';
import { inTransaction } from '../../src/db/transactions.ts';
import { newId } from '../../src/kernel/ids.ts';
import { AuditEntry } from '../../src/models/AuditEntry.ts';

/** Gives a team 8 MB that no compression makes smaller: more than lies between a server and a client that reads nothing. */
export async function makeLarge(teamId: string): Promise<void> {
  const rows = Array.from({ length: 400 }, () => ({
    id: newId('aud'),
    teamId,
    actorKind: 'operator',
    action: 'team.updated',
    details: { noise: randomBytes(15_000).toString('base64') },
    createdAt: new Date(),
  }));
  await inTransaction((transaction) => insertRows(AuditEntry, rows, { transaction }));
}
