import { DataTypes, type ModelAttributes, type QueryInterface, type Transaction } from 'sequelize';
import * as c from '../columns.ts';
import { database, dialect } from '../connection/database.ts';

const part = { primaryKey: true };
const projectPart = { ...c.text(), ...part };
const bytes = () => ({ type: DataTypes.BLOB, allowNull: false });

/** A quarter is a number of 15 minutes, a day a number of UTC days since the epoch. */
const TABLES: Record<string, ModelAttributes> = {
  // Clicks that are in no block yet, by the quarter they were in.
  click_backlog: { project_id: projectPart, quarter: { ...c.integer(), ...part }, clicks: c.bigInteger() },
  // Clicks of some quarters of one day, column by column; the columns are in click_columns.
  click_blocks: {
    project_id: projectPart,
    from_quarter: { ...c.integer(), ...part },
    to_quarter: c.integer(),
    clicks: c.bigInteger(),
    // The version of the project that it came with: a block made anew of the same quarters has another.
    version: c.bigInteger(),
  },
  // Days with blocks that have no totals yet.
  click_uncounted: { project_id: projectPart, day: { ...c.integer(), ...part } },
  click_columns: {
    project_id: projectPart,
    name: { ...c.text(), ...part },
    from_quarter: { ...c.integer(), ...part },
    content: bytes(),
  },
  // Figures of a whole UTC day by the keys of one dimension.
  click_totals: {
    project_id: projectPart,
    dimension: { ...c.text(), ...part },
    traffic_class: { ...c.text(), ...part },
    day: { ...c.integer(), ...part },
    content: bytes(),
  },
  // Numbers that stand for keys in columns and totals.
  click_keys: {
    project_id: projectPart,
    dimension: { ...c.text(), ...part },
    number: { ...c.integer(), ...part },
    key: c.text(),
  },
  // Clicks of people that wait to be added to their links: see src/clicks/linkCounts.ts.
  link_click_sums: { link_id: c.text(), clicks: c.bigInteger(), last: c.time() },
  // Raised with every change of a project's blocks: whoever reads several of them knows whether they fit together.
  click_versions: { project_id: projectPart, version: c.bigInteger() },
  domains: {
    id: c.id(),
    project_id: { ...c.text(), references: { model: 'projects', key: 'id' }, onDelete: 'CASCADE' },
    hostname: c.text(),
    kind: c.text(),
    status: { ...c.text(), defaultValue: 'pending' },
    checked_at: c.optionalTime(),
    verified_at: c.optionalTime(),
    root_destination: c.optionalText(),
    not_found_destination: c.optionalText(),
    expired_destination: c.optionalText(),
    ...c.timestamps(),
  },
  // Requests for what no link has. One row stands for `count` of them; those of a flood have no slug and no dimensions.
  orphans: {
    id: c.id(),
    project_id: c.text(),
    domain: c.text(),
    slug: c.optionalText(),
    occurred_at: c.time(),
    traffic_class: c.text(),
    country: c.optionalText(),
    region: c.optionalText(),
    city: c.optionalText(),
    platform: c.optionalText(),
    device: c.optionalText(),
    browser: c.optionalText(),
    language: c.optionalText(),
    referrer_host: c.optionalText(),
    visitor: c.text(),
    count: c.bigInteger(1),
  },
};

const DROPPED = ['click_rollups', 'click_days', 'click_day_visitors'];

/** Rollups by rows become blocks by columns; they are made from the clicks, so nothing is lost. */
export async function blockTables(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES)) await tables.createTable(name, columns, { transaction });
  const index = (table: string, fields: string[], unique = false) =>
    tables.addIndex(table, { fields, name: `${table}_${fields.join('_')}`, unique, transaction });
  await index('click_keys', ['project_id', 'dimension', 'key'], true);
  await index('orphans', ['project_id', 'occurred_at', 'id']);
  await index('clicks', ['project_id', 'occurred_at', 'id']);
  await index('domains', ['hostname']);
  await index('domains', ['project_id', 'created_at']);
  await tables.addColumn('clicks', 'tag_ids', c.optionalJson(), { transaction });
  // The one has its ids at the end now; the other was read by nobody.
  await tables.removeIndex('clicks', 'clicks_project_id_occurred_at', { transaction });
  await tables.removeIndex('clicks', 'clicks_link_id_occurred_at', { transaction });
  for (const table of DROPPED) await tables.dropTable(table, { transaction });
  const quarter =
    dialect() === 'postgres'
      ? 'CAST(FLOOR(EXTRACT(EPOCH FROM occurred_at) / 900) AS INTEGER)'
      : "CAST(strftime('%s', substr(occurred_at, 1, 19)) AS INTEGER) / 900";
  await database().query(
    `INSERT INTO click_backlog (project_id, quarter, clicks)
     SELECT project_id, ${quarter}, COUNT(*) FROM clicks GROUP BY 1, 2`,
    { transaction },
  );
}
