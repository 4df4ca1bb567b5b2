import type { ModelAttributes, QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

const part = { primaryKey: true };

/** What is counted. `project_id` comes first everywhere, so that the tables can be distributed by it. */
const cell = (period: 'bucket' | 'day'): ModelAttributes => ({
  project_id: { ...c.text(), ...part },
  dimension: { ...c.text(), ...part },
  key: { ...c.text(), ...part },
  [period]: { ...c.integer(), ...part },
  traffic_class: { ...c.text(), ...part },
});

const TABLES: Record<string, ModelAttributes> = {
  clicks: {
    id: c.id(),
    project_id: c.text(),
    link_id: c.text(),
    domain: c.text(),
    slug: c.text(),
    occurred_at: c.time(),
    traffic_class: c.text(),
    traffic_reason: c.optionalText(),
    country: c.optionalText(),
    region: c.optionalText(),
    city: c.optionalText(),
    platform: c.text(),
    device: c.text(),
    browser: c.optionalText(),
    language: c.optionalText(),
    referrer_host: c.optionalText(),
    destination: c.optionalText(),
    rule: c.optionalText(),
    utm: c.optionalJson(),
    visitor: c.text(),
    address_hash: c.text(),
    uncollected: c.flag(false),
  },
  click_rollups: { ...cell('bucket'), count: c.bigInteger() },
  click_days: { ...cell('day'), clicks: c.bigInteger(), visitors: c.bigInteger() },
  // Short rows, because one is written with most clicks: see clicks/dayVisitors.
  click_day_visitors: {
    project_id: { ...c.text(), ...part },
    day: { ...c.integer(), ...part },
    mark: { ...c.text(), ...part },
    first_keys: c.optionalText(),
  },
  visitor_keys: { day: { ...c.text(), ...part }, key: c.text() },
};

const INDEXES: [string, string[], { where?: Record<string, unknown> }?][] = [
  ['clicks', ['project_id', 'occurred_at']],
  ['clicks', ['link_id', 'occurred_at']],
  ['clicks', ['occurred_at'], { where: { uncollected: true } }],
  ['click_rollups', ['project_id', 'dimension', 'bucket']],
  ['click_days', ['project_id', 'dimension', 'day']],
];

export async function clickTables(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES)) await tables.createTable(name, columns, { transaction });
  for (const [table, fields, more] of INDEXES) {
    await tables.addIndex(table, { fields, name: `${table}_${fields.join('_')}`, ...more, transaction });
  }
}
