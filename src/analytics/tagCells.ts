import { SINGLE_TAG } from '../rollups/cellDimension.ts';
import type { Numbering } from './Numbering.ts';

/** The numbers of single tags that each list of tags stands for: lists that blocks know, and those met elsewhere. */
export async function tagCells(
  stored: ReadonlyMap<number, string[]>,
  numbering: Numbering,
): Promise<Map<number, number[]>> {
  const lists = [...stored, ...numbering.learnedLists()];
  await numbering.learn([...new Set(lists.flatMap(([, ids]) => ids))].map((id) => [SINGLE_TAG, id] as const));
  return new Map(lists.map(([list, ids]) => [list, ids.map((id) => numbering.numberOf(SINGLE_TAG, id))]));
}
