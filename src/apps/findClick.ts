import { selectPrepared } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Origin } from '../models/Install.ts';

/** What the store has of a click that led to an app. */
export interface StoredClick {
  visitor: string;
  addressHash: string;
  occurredAt: number;
  origin: Omit<Origin, 'tagIds'>;
}

interface Row {
  visitor: string;
  address_hash: string;
  occurred_at: string | Date;
  referrer_host: string | null;
  destination: string | null;
  rule: string | null;
  utm: string | Origin['utm'];
}

/** Null: there is none, or it is still in the journal of another process. */
export async function findClick(projectId: string, id: string, transaction: Transaction): Promise<StoredClick | null> {
  const [row] = await selectPrepared<Row>(
    `SELECT visitor, address_hash, occurred_at, referrer_host, destination, rule, utm
     FROM clicks WHERE id = $1 AND project_id = $2`,
    [id, projectId],
    transaction,
  );
  if (!row) return null;
  const utm = typeof row.utm === 'string' ? JSON.parse(row.utm) : row.utm;
  return {
    visitor: row.visitor,
    addressHash: row.address_hash,
    occurredAt: new Date(row.occurred_at).getTime(),
    origin: { referrerHost: row.referrer_host, destination: row.destination, rule: row.rule, utm },
  };
}
