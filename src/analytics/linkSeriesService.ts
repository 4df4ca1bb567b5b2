import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { bucketStarts, defaultGranularity } from './bucketStarts.ts';
import { readFigures } from './readFigures.ts';
import { readScope } from './readScope.ts';

/** Values that satisfy the rules of the API; missing ones have its defaults. */
export interface LinkSeriesInput {
  projectId: string;
  linkIds: string[];
  interval?: string | null;
  timezone?: string | null;
}

/** Clicks of several links over the same buckets. */
export interface LinkSeriesResult {
  start: Date;
  /** Exclusive. */
  end: Date;
  timezone: string;
  granularity: string;
  /** As in `AnalyticsResult`. */
  asOf: Date | null;
  /** The first may lie before `start`. */
  starts: Date[];
  /** In the order of the ids that were asked for; `counts` has a number for each bucket. */
  data: { linkId: string; total: number; counts: number[] }[];
}

/** A row of a list shows the last month. */
const DEFAULT_INTERVAL = '30d';

/**
 * Clicks of people on each of these links over time, in one pass. Links that the project never had have no clicks. Throws the errors of
 * `authorizeProject`.
 */
export async function readLinkSeries(
  principal: Principal,
  { projectId, linkIds, interval, timezone: zone }: LinkSeriesInput,
): Promise<LinkSeriesResult> {
  const project = await authorizeProject(principal, 'analytics:read', projectId);
  const scope = await readScope(project, { interval: interval ?? DEFAULT_INTERVAL });
  const timezone = zone ?? 'UTC';
  const granularity = defaultGranularity(scope.range);
  const starts = bucketStarts(scope.range, granularity, timezone);
  const filters = [{ dimension: 'link' as const, keys: linkIds, isExcluding: false }];
  const grouping = { groupBy: 'link_series' as const, starts, links: linkIds, trafficClass: 'human' };
  const [figures] = await readFigures({ ...scope, filters, groupings: [grouping] });
  const counts = new Map(figures?.cells.map(([cell, { count }]) => [cell, count]));
  const data = linkIds.map((linkId, at) => {
    const own = starts.map((_, bucket) => counts.get(at * starts.length + bucket) ?? 0);
    return { linkId, total: own.reduce((sum, count) => sum + count, 0), counts: own };
  });
  const { start, end } = scope.range;
  return {
    start: new Date(start),
    end: new Date(end),
    timezone,
    granularity,
    asOf: figures?.asOfMs == null ? null : new Date(figures.asOfMs),
    starts: starts.map((at) => new Date(at)),
    data,
  };
}
