import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

/**
 * What the store has of clicks that are in ClickHouse. `click_queue`: clicks on their way, for `purpose`, which is `store` for
 * ClickHouse or `event` for a link.clicked event. `click_progress`: how many lines of a segment of a journal are counted.
 */
export async function clickQueue(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const queue = {
    purpose: { ...c.text(), primaryKey: true },
    id: { ...c.text(), primaryKey: true },
    project_id: c.text(),
    occurred_ms: c.bigInteger(),
    traffic_class: c.text(),
    traffic_reason: c.optionalText(),
    version: c.integer(),
    line: c.text(),
  };
  await tables.createTable('click_queue', queue, { transaction });
  const order = { fields: ['purpose', 'occurred_ms'], name: 'click_queue_purpose_occurred_ms', transaction };
  await tables.addIndex('click_queue', order);
  const ofProject = { fields: ['project_id'], name: 'click_queue_project_id', transaction };
  await tables.addIndex('click_queue', ofProject);
  const progress = { segment: { ...c.text(), primaryKey: true }, lines: c.integer(), changed_at: c.time() };
  await tables.createTable('click_progress', progress, { transaction });
  await tables.addIndex('click_progress', {
    fields: ['changed_at'],
    name: 'click_progress_changed_at',
    transaction,
  });
}
