import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';
import { database, dialect } from '../connection/database.ts';

const INDEXES = [
  // What waits for a batch, in the order in which it goes into one.
  'CREATE INDEX batched_events_waiting ON batched_events (webhook_id, queue, due_at, event_id) WHERE delivery_id IS NULL',
  // The events of a delivery, and everything of a project that is deleted.
  'CREATE INDEX batched_events_by_delivery ON batched_events (project_id, delivery_id, event_id)',
];

/**
 * Events that are sent in batches: which of them wait, and which delivery the others are in. Bodies of deliveries are no
 * longer stored, because they follow from the events: the column becomes empty for new rows. Processes of the version before
 * may go on writing it. They cannot sign a body that is null, which is a fault of theirs and no attempt; the embedded store
 * has no other process, and SQLite cannot take NOT NULL from a column: there it is an empty text.
 */
export async function webhookBatches(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const run = (sql: string) => database().query(sql, { transaction });
  await tables.createTable(
    'batched_events',
    {
      event_id: { ...c.text(), primaryKey: true },
      webhook_id: { ...c.text(), primaryKey: true },
      project_id: c.optionalText(),
      queue: c.integer(),
      event_at: c.time(),
      due_at: c.time(),
      bytes: c.integer(),
      delivery_id: c.optionalText(),
    },
    { transaction },
  );
  for (const sql of INDEXES) await run(sql);
  const columns = {
    batch_max_events: c.optionalInteger(),
    batch_max_wait_seconds: c.optionalInteger(),
    has_batched: c.flag(false),
    max_in_flight: c.integer(10),
  };
  for (const [name, column] of Object.entries(columns)) {
    await tables.addColumn('webhooks', name, column, { transaction });
  }
  await tables.addColumn('deliveries', 'event_count', c.integer(1), { transaction });
  if (dialect() === 'postgres') await run('ALTER TABLE deliveries ALTER COLUMN request_body DROP NOT NULL');
}
