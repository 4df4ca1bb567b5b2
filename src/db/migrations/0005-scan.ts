import { DataTypes, Op, type QueryInterface, type Transaction } from 'sequelize';
import * as c from '../columns.ts';

/** What scanning links and limiting new accounts needs. The team of the first start, the oldest one, has no limits. */
export async function scan(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const columns = {
    scanned_at: c.optionalTime(),
    flagged_by: c.optionalText(),
    cleared_verdict: c.optionalText(),
    review_requested_at: c.optionalTime(),
  };
  for (const [name, column] of Object.entries(columns)) await tables.addColumn('links', name, column, { transaction });
  // The next links to scan again; what is flagged or archived leads nowhere.
  await tables.addIndex('links', {
    fields: ['scanned_at'],
    name: 'links_scanned_at',
    where: { flagged_at: null, archived_at: null },
    transaction,
  });
  await tables.addIndex('links', {
    fields: ['review_requested_at'],
    name: 'links_review_requested_at',
    where: { review_requested_at: { [Op.ne]: null } },
    transaction,
  });
  await tables.addColumn('teams', 'has_no_limits', c.flag(false), { transaction });
  await tables.sequelize.query(
    'UPDATE teams SET has_no_limits = true WHERE id = (SELECT id FROM teams ORDER BY created_at, id LIMIT 1)',
    { transaction },
  );
  await tables.createTable(
    'new_account_links',
    {
      team_id: {
        ...c.text(),
        primaryKey: true,
        references: { model: 'teams', key: 'id' },
        onDelete: 'CASCADE',
      },
      minute: { type: DataTypes.INTEGER, primaryKey: true, allowNull: false },
      count: c.integer(),
    },
    { transaction },
  );
}
