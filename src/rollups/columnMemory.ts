import { LRUCache } from 'lru-cache';
import { config } from '../kernel/config.ts';
import type { BlockRow } from './blockRows.ts';
import type { Column } from './Column.ts';

type ColumnMemory = LRUCache<string, Column>;

/** What a column takes beside its values: its key and its places in the lists of the memory. */
const ENTRY_BYTES = 300;

let memory: ColumnMemory | null = null;

/**
 * Columns that this process has read from blocks, the ones last used, ANALYTICS_MEMORY_BYTES of them at most; null where
 * that is 0. What is in it is never changed: nobody writes to a column, and a block that is made anew has another key.
 */
export function columnMemory(): ColumnMemory | null {
  const bytes = config.analyticsMemoryBytes;
  if (bytes === 0) return null;
  if (memory?.maxSize !== bytes)
    memory = new LRUCache({ maxSize: bytes, sizeCalculation: ({ byteLength }) => byteLength + ENTRY_BYTES });
  return memory;
}

export function columnKey(projectId: string, { from, version }: BlockRow, name: string): string {
  return `${projectId} ${from} ${version} ${name}`;
}
