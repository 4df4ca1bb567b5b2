import type { Dimension } from '../clicks/dimensions.ts';
import type { Range } from './readRange.ts';

/** The events that can be counted. APP_TABLES says where those of apps are stored. */
export type AnalyticsEvent = 'click' | 'install' | 'open' | 'app_event' | 'orphan';

/** The dimensions that only events of apps have: a name those of `app_event`, a method openings. */
export const APP_DIMENSIONS = ['event_name', 'app_version', 'match_method'] as const;

/** Dimensions to group and filter by. */
export type AnalyticsDimension = Dimension | 'traffic_class' | (typeof APP_DIMENSIONS)[number];

/** The key of events that have none in a dimension: in every store it is the empty text, or NULL. */
export const UNKNOWN_KEY = '';

/** Events whose key in `dimension` is one of `keys`, or with `isExcluding` all others. */
export interface Filter {
  dimension: AnalyticsDimension;
  keys: string[];
  isExcluding: boolean;
}

/** The events of a project in a range that pass all filters. */
export interface EventScope {
  projectId: string;
  event: AnalyticsEvent;
  range: Range;
  filters: Filter[];
}

/** How events are counted. */
export interface Grouping {
  /** `link_series`: by each of `links` and by time. */
  groupBy: AnalyticsDimension | 'none' | 'time' | 'link_series';
  /** Starts of the buckets, ascending; the first may lie before the range. Empty unless grouped by time. */
  starts: number[];
  /** Ids; the scope has a filter by the same links. The cell of a bucket is `index in links * number of buckets + bucket`. */
  links?: readonly string[];
  /** Null: all classes. */
  trafficClass: string | null;
}

export interface AnalyticsQuery extends EventScope, Grouping {}

/** Events that are read once and counted in several ways. */
export interface AnalyticsPass extends EventScope {
  groupings: readonly Grouping[];
}

/** The dimensions whose keys a pass needs, also those that its events lack. */
export function dimensionsNeeded({ groupings, filters }: Pick<AnalyticsPass, 'groupings' | 'filters'>): Set<string> {
  return new Set([...groupings.map(({ groupBy }) => groupBy), ...filters.map(({ dimension }) => dimension)]);
}
