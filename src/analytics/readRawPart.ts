import type { Dimension } from '../clicks/dimensions.ts';
import { BlockDraft } from '../rollups/BlockDraft.ts';
import type { Key } from '../rollups/keys.ts';
import type { Part } from '../rollups/Part.ts';
import { readClicks } from '../rollups/readClicks.ts';
import type { Numbering } from './Numbering.ts';
import type { TimeSpan } from './planDays.ts';
import type { Question } from './Question.ts';
import { readOrphans } from './readOrphans.ts';

/** Single events of a span as a part like those of blocks; nothing without any. */
export async function readRawPart(
  { projectId, event }: Question,
  { fromMs, toMs }: TimeSpan,
  dimensions: readonly Dimension[],
  numbering: Numbering,
): Promise<Part[]> {
  if (event !== 'click' && event !== 'orphan') return [];
  const draft = new BlockDraft(fromMs, dimensions);
  const weights: number[] = [];
  if (event === 'click') {
    for await (const rows of readClicks(projectId, fromMs, toMs, dimensions)) draft.add(rows);
  } else {
    for await (const { rows, counts } of readOrphans(projectId, fromMs, toMs, dimensions)) {
      draft.add(rows);
      weights.push(...counts);
    }
  }
  if (draft.length === 0) return [];
  await numbering.learn(
    draft.columns.flatMap(({ dimension, keys }) => [...keys.keys()].map((key): Key => [dimension, key])),
  );
  return [{ ...partOf(draft, numbering), ...(event === 'orphan' ? { weights } : {}) }];
}

/** In the arrays that columns of blocks are in: loops over both kinds of array are slower. */
function partOf(draft: BlockDraft, numbering: Numbering): Part {
  const { length, baseMs } = draft;
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
