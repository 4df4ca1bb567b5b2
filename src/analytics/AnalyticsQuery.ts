import type { Dimension } from '../clicks/dimensions.ts';
import type { Range } from './readRange.ts';

/** The events that can be counted. APP_TABLES says where those of apps are stored. */
export type AnalyticsEvent = 'click' | 'install' | 'open' | 'app_event' | 'orphan';

/** Dimensions to group and filter by. Clicks have no `event_name` and no `app_version`. */
export type AnalyticsDimension = Dimension | 'traffic_class' | 'event_name' | 'app_version';

/** Events whose key in `dimension` is one of `keys`, or with `isExcluding` all others. */
export interface Filter {
  dimension: AnalyticsDimension;
  keys: string[];
  isExcluding: boolean;
}

export interface AnalyticsQuery {
  projectId: string;
  event: AnalyticsEvent;
  range: Range;
  groupBy: AnalyticsDimension | 'none' | 'time';
  /** Starts of the buckets, ascending; the first may lie before the range. Empty unless grouped by time. */
  starts: number[];
  /** Null: all classes. */
  trafficClass: string | null;
  filters: Filter[];
}
