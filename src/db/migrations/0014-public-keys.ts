import { DataTypes, type ModelAttributeColumnOptions, type QueryInterface, type Transaction } from 'sequelize';
import * as c from '../columns.ts';

const part = { primaryKey: true };

const COLUMNS: [table: string, name: string, column: ModelAttributeColumnOptions][] = [
  ['projects', 'max_event_value', { type: DataTypes.DOUBLE, allowNull: false, defaultValue: 1_000_000 }],
  // The value is beyond that of its project: it is in no sum.
  ['app_events', 'outlier', c.flag(false)],
  // The name under which it is counted, where that is not its own.
  ['app_events', 'counted_as', c.optionalText()],
];

/** Names of events that are counted apart, with the last UTC day on which they came. */
const EVENT_NAMES = { project_id: { ...c.text(), ...part }, name: { ...c.text(), ...part }, used_on: c.integer() };

/** What bounds the figures that a public key can reach. */
export async function publicKeys(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const [table, name, column] of COLUMNS) await tables.addColumn(table, name, column, { transaction });
  await tables.createTable('event_names', EVENT_NAMES, { transaction });
}
