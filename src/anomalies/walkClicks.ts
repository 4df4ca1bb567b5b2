import type { Numbering } from '../analytics/Numbering.ts';
import { planDays } from '../analytics/planDays.ts';
import type { Question } from '../analytics/Question.ts';
import type { Range } from '../analytics/readRange.ts';
import { readRawPart } from '../analytics/readRawPart.ts';
import type { Dimension } from '../clicks/dimensions.ts';
import { QUARTER_MS } from '../clicks/periods.ts';
import { besideRedirects } from '../rollups/besideRedirects.ts';
import { readBlockRows, readVersion } from '../rollups/blockRows.ts';
import type { Part } from '../rollups/Part.ts';
import { readParts } from '../rollups/readParts.ts';

/** Gets the places of a part whose clicks lie in the range: from `first` up to but without `end`. */
type Visit = (part: Part, first: number, end: number) => void;

/**
 * Shows all clicks of a range, in parts with the columns of these dimensions. False: blocks were changed meanwhile, so that
 * what was seen may not fit together. Redirects go first.
 */
export async function walkClicks(
  projectId: string,
  range: Range,
  dimensions: readonly Dimension[],
  numbering: Numbering,
  visit: Visit,
): Promise<boolean> {
  const giveWay = besideRedirects();
  const [from, to] = [Math.floor(range.start / QUARTER_MS), Math.ceil(range.end / QUARTER_MS)];
  const { version, ...stock } = await readBlockRows(projectId, from, to);
  const asked = { projectId, event: 'click', range, starts: [], trafficClass: null, filters: [] } as const;
  const question: Question = { ...asked, starts: [], filters: [], groupBy: 'none' };
  const visitPart = async (part: Part) => {
    visit(part, placeAt(part, range.start), placeAt(part, range.end));
    await giveWay();
  };
  for (const day of planDays(question, { ...stock, days: [] }, new Set(), false)) {
    for (const block of day.blocks)
      for (const part of await readParts(projectId, [block], dimensions)) await visitPart(part);
    for (const span of day.raw)
      for (const part of await readRawPart(question, span, dimensions, numbering)) await visitPart(part);
  }
  return (await readVersion(projectId)) === version;
}

/** The place of the first click that is not before the moment; they are in the order of time. */
function placeAt({ at, baseMs, length }: Part, moment: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (baseMs + (at[middle] as number) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
