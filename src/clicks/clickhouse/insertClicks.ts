import type { ClickHouseSettings } from '@clickhouse/client';
import { yieldToEventLoop } from '../../kernel/yield.ts';
import type { Click } from '../click.ts';
import { insertRows } from './connection.ts';
import { openTable, rowOf, TABLE } from './table.ts';

/** Fewer rows than this are gathered with those of others by a recent server, which makes one part of them. */
const SMALL = 5000;
/** Rows between two checks of the time. */
const ROWS_PER_SLICE = 200;

/**
 * Inserts clicks and resolves when the server has them. A click that is there already is replaced by the row with the highest
 * version. `token`: names the rows, so that a repeated insert is not even written.
 */
export async function insertClicks(clicks: readonly Click[], version: number, token?: string): Promise<void> {
  if (clicks.length === 0) return;
  const { isRecent } = await openTable();
  const rows: object[] = [];
  const yieldNow = yieldToEventLoop();
  for (const click of clicks) {
    rows.push(rowOf(click, version));
    if (rows.length % ROWS_PER_SLICE === 0) await yieldNow();
  }
  // Through a distributed table rows are on their shards when the insert ends.
  const settings = { insert_distributed_sync: 1 as const, ...(isRecent ? settingsOf(rows.length, token) : {}) };
  await insertRows(TABLE, rows, settings);
}

function settingsOf(rows: number, token: string | undefined): ClickHouseSettings {
  if (rows < SMALL) return { async_insert: 1, wait_for_async_insert: 1 };
  return token ? { insert_deduplicate: 1, insert_deduplication_token: token } : {};
}
