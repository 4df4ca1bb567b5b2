import { DataTypes, type QueryInterface, type Transaction } from 'sequelize';

/** Answers that are kept for repeats are compressed where they are large. */
export async function compressedAnswers(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const column = { type: DataTypes.BOOLEAN, allowNull: false, defaultValue: false };
  await tables.addColumn('idempotency_records', 'is_compressed', column, { transaction });
}
