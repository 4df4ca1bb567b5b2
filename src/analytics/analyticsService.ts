import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { type FieldProblem, validationFailed } from '../kernel/errors.ts';
import type { AnalyticsEvent, AnalyticsQuery } from './AnalyticsQuery.ts';
import { bucketStarts, defaultGranularity, type Granularity } from './bucketStarts.ts';
import { FILTER_FIELDS, type FilterInput, type Group } from './filterTable.ts';
import { readFigures } from './readFigures.ts';
import { readFilters } from './readFilters.ts';
import { firstEventAt, INTERVALS, readRange } from './readRange.ts';
import type { Count } from './Tally.ts';
import { tagNamesFor, topRows } from './topRows.ts';

export type { AnalyticsEvent, Granularity, Group };

/** Values that satisfy the rules of the API; missing ones have its defaults. */
export interface AnalyticsInput extends FilterInput {
  projectId: string;
  event?: string | null;
  groupBy?: string | null;
  interval?: string | null;
  start?: Date | null;
  /** Exclusive. */
  end?: Date | null;
  granularity?: string | null;
  timezone?: string | null;
  traffic?: string | null;
  limit?: number | null;
}

export interface AnalyticsResult {
  event: string;
  groupBy: string;
  start: Date;
  /** Exclusive. */
  end: Date;
  timezone: string;
  /** Null unless grouped by time. */
  granularity: string | null;
  total: PresentedFigures;
  /** Most frequent first, or in the order of time; empty for groupBy `none`. */
  data: KeyFigures[];
  /** The sum of the rows that `limit` cut off; null without any. */
  others: PresentedFigures | null;
}

/** The intervals that can be asked for, and the fields that are filters. */
export const ANALYTICS_CHOICES = {
  intervals: INTERVALS,
  filters: FILTER_FIELDS,
};

/**
 * Counts the events of a project. Throws the errors of `authorizeProject`, and `validation_failed` for a start, end and interval
 * that make no range, for more than 10,000 buckets, for malformed filters, and for links or tags that the project does not have.
 */
export async function readAnalytics(principal: Principal, input: AnalyticsInput): Promise<AnalyticsResult> {
  const project = await authorizeProject(principal, 'analytics:read', input.projectId);
  const problems: FieldProblem[] = [];
  const since =
    input.interval === 'all'
      ? Math.min(project.createdAt.getTime(), await firstEventAt(project.id))
      : project.createdAt.getTime();
  const range = readRange(input, since, problems);
  const filters = await readFilters(project.id, input, problems);
  if (problems.length > 0) throw validationFailed(problems);

  const groupBy = (input.groupBy ?? 'none') as AnalyticsQuery['groupBy'];
  const timezone = input.timezone ?? 'UTC';
  const granularity = groupBy === 'time' ? (input.granularity ?? defaultGranularity(range)) : null;
  const starts = granularity ? bucketStarts(range, granularity, timezone) : [];
  const event = (input.event ?? 'click') as AnalyticsQuery['event'];
  const query = { projectId: project.id, event, range, groupBy, starts, trafficClass: wantedClass(input), filters };
  const figures = await readFigures(query);

  const { start, end } = range;
  const result = { event, groupBy, start: new Date(start), end: new Date(end), timezone, granularity };
  const total = presentFigures(figures.total, event);
  if (groupBy === 'none') return { ...result, total, data: [], others: null };
  if (granularity) return { ...result, total, data: presentSeries(starts, figures.cells, event), others: null };
  const { rows, others } = await topRows(query, figures, input.limit ?? 100);
  const named = groupBy === 'tag' ? await tagNamesFor(project.id, rows) : rows;
  const data = named.map(({ key, ...count }) => ({ key, ...presentFigures(count, event) }));
  return { ...result, total, data, others: others && presentFigures(others, event) };
}

/** The class to count; null for all. The default is people, and all classes where the input groups or filters by class. */
function wantedClass({ traffic, trafficClass, groupBy }: AnalyticsInput): string | null {
  const asksAboutClasses = groupBy === 'traffic_class' || (trafficClass !== undefined && trafficClass !== null);
  const wanted = traffic ?? (asksAboutClasses ? 'all' : 'human');
  return wanted === 'all' ? null : wanted;
}

/**
 * `unique`: the sum of each UTC day's distinct visitors. `values`: sums of money by currency, where the currency is null for values
 * without one; null for events that have no values.
 */
interface PresentedFigures {
  count: number;
  unique: number;
  values: { currency: string | null; sum: number }[] | null;
}

/** `key`: null for unknown; in a series the start of the bucket in ISO 8601. */
interface KeyFigures extends PresentedFigures {
  key: string | null;
}

function presentFigures({ count, unique, values }: Count, event: AnalyticsEvent): PresentedFigures {
  return { count, unique, values: event === 'app_event' ? (values?.listed() ?? []) : null };
}

/** A row for each bucket, including those without events. `starts` are in milliseconds. */
function presentSeries(starts: number[], cells: [bucket: number, count: Count][], event: AnalyticsEvent): KeyFigures[] {
  const byBucket = new Map(cells);
  return starts.map((start, bucket) => ({
    key: new Date(start).toISOString(),
    ...presentFigures(byBucket.get(bucket) ?? { count: 0, unique: 0 }, event),
  }));
}
