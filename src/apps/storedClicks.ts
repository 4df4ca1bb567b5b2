import { withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Origin } from '../models/Install.ts';

/** What the store has of a click that led to an app. */
export interface StoredClick {
  projectId: string;
  addressHash: string;
  occurredAt: number;
  origin: Omit<Origin, 'tagIds'>;
}

interface Row {
  id: string;
  project_id: string;
  address_hash: string;
  occurred_at: string | Date;
  referrer_host: string | null;
  destination: string | null;
  rule: string | null;
  utm: string | Origin['utm'];
}

/** Clicks by their ids; those that are still in the journal of another process are not there yet. */
export async function readStoredClicks(
  ids: readonly string[],
  transaction: Transaction,
): Promise<Map<string, StoredClick>> {
  const rows = await withJsonRows<Row>(
    { id: 'text' },
    ids.map((id) => [id]),
    // Looked up one by one: a store that was never analysed would read all there are.
    `SELECT clicks.id, project_id, address_hash, occurred_at, referrer_host, destination, rule, utm
     FROM given CROSS JOIN clicks WHERE clicks.id = given.id`,
    transaction,
  );
  return new Map(rows.map((row) => [row.id, storedClick(row)]));
}

function storedClick(row: Row): StoredClick {
  const utm = typeof row.utm === 'string' ? JSON.parse(row.utm) : row.utm;
  return {
    projectId: row.project_id,
    addressHash: row.address_hash,
    occurredAt: new Date(row.occurred_at).getTime(),
    origin: { referrerHost: row.referrer_host, destination: row.destination, rule: row.rule, utm },
  };
}
