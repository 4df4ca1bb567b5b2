import type { QueryInterface, Transaction } from 'sequelize';

/** Table, columns in the order of the list that they serve. */
const INDEXES: [string, string[]][] = [
  ['events', ['project_id', 'type', 'created_at', 'id']],
  // The type at the end is for a link with very many clicks: what else happened to it is found in the index alone.
  ['events', ['project_id', 'link_id', 'created_at', 'id', 'type']],
  ['tags', ['project_id', 'created_at', 'id']],
];

/** Indexes that lists of events and tags are read from. */
export async function eventLists(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const [table, fields] of INDEXES) {
    await tables.addIndex(table, { fields, name: `${table}_${fields.join('_')}`, transaction });
  }
}
