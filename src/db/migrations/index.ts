import type { QueryInterface, Transaction } from 'sequelize';
import { firstTables } from './0001-first-tables.ts';
import { clickTables } from './0002-click-tables.ts';

export interface Migration {
  name: string;
  up(tables: QueryInterface, transaction: Transaction): Promise<void>;
}

/** In the order in which they run. A migration that has landed is never edited; a change is a new one. */
export const MIGRATIONS: Migration[] = [
  { name: '0001-first-tables', up: firstTables },
  { name: '0002-click-tables', up: clickTables },
];
