import { upsertRows } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { Install, type InstallColumns } from '../models/Install.ts';

/** The columns of an install. */
export type InstallRow = InstallColumns;

/** Inserts or updates installs. The caller read them under the lock of their `installKey`: see attributeOpening. */
export async function writeInstalls(installs: readonly InstallRow[], transaction: Transaction): Promise<void> {
  await upsertRows(Install, installs, { key: ['projectId', 'installId'], keeps: ['id'], transaction });
}
