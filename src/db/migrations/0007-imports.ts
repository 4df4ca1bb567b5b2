import { DataTypes, type ModelAttributes, type QueryInterface, type Transaction } from 'sequelize';
import * as c from '../columns.ts';

const references = (table: string) => ({ references: { model: table, key: 'id' }, onDelete: 'CASCADE' });

const TABLES: Record<string, ModelAttributes> = {
  imports: {
    id: c.id(),
    project_id: { ...c.text(), ...references('projects') },
    source_format: c.text(),
    status: c.text(),
    dry_run: c.flag(false),
    on_conflict: c.text(),
    batch_id: c.text(),
    delimiter: c.text(),
    header: c.json(),
    unknown_columns: c.json(),
    message: c.optionalText(),
    rows: c.integer(),
    created: c.integer(0),
    updated: c.integer(0),
    skipped: c.integer(0),
    failed: c.integer(0),
    claim: c.optionalText(),
    claimed_until: c.optionalTime(),
    breakdowns: c.integer(0),
    finished_at: c.optionalTime(),
    ...c.timestamps(),
  },
  import_chunks: {
    import_id: { ...c.text(), primaryKey: true, ...references('imports') },
    number: { ...c.integer(), primaryKey: true },
    bytes: { type: DataTypes.BLOB, allowNull: false },
  },
  import_rows: {
    import_id: { ...c.text(), primaryKey: true, ...references('imports') },
    line: { ...c.integer(), primaryKey: true },
    part: { ...c.integer(), primaryKey: true },
    outcome: c.text(),
    field: c.text(),
    message: c.text(),
    link_id: c.optionalText(),
  },
};

/** Imports, the files they read, and what became of each row. */
export async function importTables(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES)) await tables.createTable(name, columns, { transaction });
  const index = (table: string, fields: string[], more = {}) =>
    tables.addIndex(table, { fields, name: `${table}_${fields.join('_')}`, ...more, transaction });
  await index('imports', ['project_id', 'created_at', 'id']);
  await index('imports', ['created_at'], { where: { finished_at: null } });
}
