import { DataTypes, type QueryInterface, type Transaction } from 'sequelize';
import * as c from '../columns.ts';
import { database } from '../connection/database.ts';

/** Columns that come, by their table. */
const NEW_COLUMNS = {
  deliveries: {
    is_test: c.flag(false),
    manual_attempts: c.integer(0),
    resends: c.integer(0),
    // As `QUEUE` in src/webhooks/queue.ts numbers them.
    queue: c.integer(1),
    due_at: c.optionalTime(),
    claim: c.optionalText(),
    event_at: c.optionalTime(),
  },
  webhooks: {
    probe_pause_seconds: c.integer(0),
    next_probe_at: c.optionalTime(),
    generation: c.integer(0),
    disabled_at: c.optionalTime(),
    deleted_at: c.optionalTime(),
    lane: c.optionalText(),
    lane_until: c.optionalTime(),
  },
};

/** In this order: an index before the column that it reads. */
const GONE = [
  'DROP INDEX deliveries_next_attempt_at',
  'ALTER TABLE deliveries DROP COLUMN claimed_until',
  'ALTER TABLE deliveries DROP COLUMN job_id',
  'DROP INDEX events_created_at',
  'ALTER TABLE events DROP COLUMN relayed_at',
  // The ids are missing at its end: events of one bulk call have one moment.
  'DROP INDEX events_project_id_created_at',
];

const FILL = [
  `UPDATE deliveries SET
     due_at = CASE status WHEN 'pending' THEN next_attempt_at END,
     event_at = COALESCE((SELECT events.created_at FROM events WHERE events.id = deliveries.event_id), created_at),
     is_test = EXISTS (SELECT 1 FROM events WHERE events.id = deliveries.event_id AND events.webhook_id IS NOT NULL),
     manual_attempts = (SELECT COUNT(*) FROM attempts WHERE attempts.delivery_id = deliveries.id AND attempts.manual)`,
  'UPDATE deliveries SET queue = 0 WHERE is_test',
  "UPDATE webhooks SET disabled_at = updated_at WHERE status = 'disabled'",
];

const INDEXES = [
  // What is to be sent, by the queue that it waits in: see src/webhooks/queue.ts.
  'CREATE INDEX deliveries_due ON deliveries (webhook_id, queue, due_at, id) WHERE due_at IS NOT NULL',
  // What a replay goes through.
  'CREATE INDEX deliveries_by_event ON deliveries (webhook_id, event_at, id)',
  // Lists by status or type: what is rare is found without reading what is not.
  "CREATE INDEX deliveries_failed ON deliveries (webhook_id, created_at, id) WHERE status = 'failed'",
  "CREATE INDEX deliveries_cancelled ON deliveries (webhook_id, created_at, id) WHERE status = 'cancelled'",
  'CREATE INDEX deliveries_by_type ON deliveries (webhook_id, event_type, created_at, id)',
  'CREATE INDEX events_project_id_created_at_id ON events (project_id, created_at, id)',
  // The outbox, and what a replay looks through that belongs to a team and to none of its projects.
  'CREATE INDEX events_outbox ON events (team_id, created_at, id) WHERE fanned_out_at IS NULL',
  'CREATE INDEX events_of_teams ON events (team_id, created_at, id) WHERE project_id IS NULL',
  'CREATE INDEX webhooks_disabled ON webhooks (disabled_at) WHERE disabled_at IS NOT NULL',
  'CREATE INDEX webhooks_deleted ON webhooks (deleted_at) WHERE deleted_at IS NOT NULL',
];

/** Deliveries are sent by lanes, one for each webhook; the outbox is fanned out where it stands. */
export async function lanes(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const run = (sql: string) => database().query(sql, { transaction });
  for (const sql of GONE) await run(sql);
  for (const [table, columns] of Object.entries(NEW_COLUMNS)) {
    for (const [name, column] of Object.entries(columns)) await tables.addColumn(table, name, column, { transaction });
  }
  for (const sql of FILL) await run(sql);
  for (const sql of INDEXES) await run(sql);
  await tables.createTable(
    'replays',
    {
      id: { type: DataTypes.TEXT, primaryKey: true, allowNull: false },
      webhook_id: { ...c.text(), references: { model: 'webhooks', key: 'id' }, onDelete: 'CASCADE' },
      status: c.text(),
      since: c.time(),
      until: c.time(),
      position: c.optionalText(),
      worked_at: c.time(),
      created_at: c.time(),
    },
    { transaction },
  );
}
