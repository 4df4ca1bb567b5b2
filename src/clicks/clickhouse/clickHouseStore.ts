import type { ClickStore } from '../clickStores.ts';
import { select } from './connection.ts';
import { claimAwaited, enqueue } from './queueStore.ts';
import { newestIds, newestTimes, read, readAddresses, readOrigins } from './readClicks.ts';
import { reclass } from './reclass.ts';
import { ofProject } from './rows.ts';
import { readArchived, search } from './searchClicks.ts';
import { storeChunk, storedAmong } from './storeChunk.ts';
import { CLICKS, deleteClicks, openTable } from './table.ts';

/** Lines that are one insert: ClickHouse makes a part of each, and merges them later. */
const LINES_PER_CHUNK = 20_000;

/** Clicks in ClickHouse, with their counts and what waits in the store: see docs/decisions. */
export const CLICK_HOUSE: ClickStore = {
  linesPerChunk: LINES_PER_CHUNK,
  storeChunk,
  storedAmong,
  write: enqueue,
  claimAwaited,
  search,
  newestIds,
  read,
  readOrigins,
  readAddresses,
  newestTimes,
  reclass,
  readArchived,
  async forgetProject(projectId) {
    if (await hasClicks(projectId)) await deleteClicks(ofProject(projectId));
  },
  hasClicksOutside: hasClicks,
};

async function hasClicks(projectId: string): Promise<boolean> {
  await openTable();
  const rows = await select(`SELECT 1 AS one FROM ${CLICKS} WHERE ${ofProject(projectId)} LIMIT 1`);
  return rows.length > 0;
}
