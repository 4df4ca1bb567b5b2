import type { AnalyticsQuery } from '../analytics/AnalyticsQuery.ts';
import { readBlockRows, readVersion } from '../analytics/columns/blockStore.ts';
import type { EventColumns } from '../analytics/columns/EventColumns.ts';
import { readBlocks } from '../analytics/columns/readBlocks.ts';
import type { KeyDictionary } from '../analytics/KeyDictionary.ts';
import { planDays } from '../analytics/plan.ts';
import type { Range } from '../analytics/readRange.ts';
import { readRawEvents } from '../analytics/readRawEvents.ts';
import { indexAt } from '../analytics/Selection.ts';
import type { Dimension } from '../clicks/dimensions.ts';
import { QUARTER_MS } from '../kernel/clock.ts';
import { yieldToRedirects } from '../kernel/yield.ts';

/** Receives columns, and the indexes of the clicks in the range: from `first` up to but without `end`. */
type Visit = (events: EventColumns, first: number, end: number) => void;

/**
 * Passes all clicks of a range to `visit`, with the columns of these dimensions. Returns false when blocks changed meanwhile, so that
 * the clicks may be inconsistent. Yields to redirects.
 */
export async function scanClicks(
  projectId: string,
  range: Range,
  dimensions: readonly Dimension[],
  dictionary: KeyDictionary,
  visit: Visit,
): Promise<boolean> {
  const yieldNow = yieldToRedirects();
  const [from, to] = [Math.floor(range.start / QUARTER_MS), Math.ceil(range.end / QUARTER_MS)];
  const { version, ...stock } = await readBlockRows(projectId, from, to);
  const asked = { projectId, event: 'click', range, starts: [], trafficClass: null, filters: [] } as const;
  const query: AnalyticsQuery = { ...asked, starts: [], filters: [], groupBy: 'none' };
  const visitEvents = async (events: EventColumns) => {
    visit(events, indexAt(events, range.start), indexAt(events, range.end));
    await yieldNow();
  };
  for (const day of planDays(query, { ...stock, days: [] }, new Set(), false)) {
    for (const block of day.blocks)
      for (const events of await readBlocks(projectId, [block], dimensions)) await visitEvents(events);
    for (const span of day.raw)
      for (const events of await readRawEvents(query, span, dimensions, dictionary)) await visitEvents(events);
  }
  return (await readVersion(projectId)) === version;
}
