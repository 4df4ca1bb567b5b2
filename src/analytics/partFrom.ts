import type { BlockDraft } from '../rollups/BlockDraft.ts';
import type { Key } from '../rollups/keys.ts';
import type { Part } from '../rollups/Part.ts';
import type { Numbering } from './Numbering.ts';

/**
 * A draft as a part like those of blocks, in the arrays that columns of blocks are in: loops over both kinds of array are
 * slower.
 */
export async function partFrom(draft: BlockDraft, numbering: Numbering): Promise<Part> {
  const { length, baseMs } = draft;
  await numbering.learn(
    draft.columns.flatMap(({ dimension, keys }) => [...keys.keys()].map((key): Key => [dimension, key])),
  );
  const columns = draft.columns.map(({ dimension, numbers, keys }) => {
    const translated = [0, ...[...keys.keys()].map((key) => numbering.numberOf(dimension, key))];
    return [dimension, Uint32Array.from(numbers, (number) => translated[number] as number)] as const;
  });
  return {
    length,
    baseMs,
    at: Uint32Array.from(draft.at),
    high: Uint32Array.from(draft.high),
    low: Uint32Array.from(draft.low),
    classes: Uint8Array.from(draft.classes),
    keys: Object.fromEntries(columns),
  };
}
