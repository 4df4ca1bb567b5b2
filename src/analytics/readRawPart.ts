import type { Dimension } from '../clicks/dimensions.ts';
import { BlockDraft } from '../rollups/BlockDraft.ts';
import type { Part } from '../rollups/Part.ts';
import { readClicks } from '../rollups/readClicks.ts';
import type { Numbering } from './Numbering.ts';
import { partFrom } from './partFrom.ts';
import type { TimeSpan } from './planDays.ts';
import type { Question } from './Question.ts';
import { readOrphans } from './readOrphans.ts';

/** Single clicks or orphans of a span as a part like those of blocks; nothing without any. */
export async function readRawPart(
  { projectId, event }: Question,
  { fromMs, toMs }: TimeSpan,
  dimensions: readonly Dimension[],
  numbering: Numbering,
): Promise<Part[]> {
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
  return [{ ...(await partFrom(draft, numbering)), ...(event === 'orphan' ? { weights } : {}) }];
}
