import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import type { AnalyticsEvent, AnalyticsQuery, EventScope, Grouping } from './AnalyticsQuery.ts';
import { bucketStarts, defaultGranularity, type Granularity } from './bucketStarts.ts';
import { FILTER_FIELDS, type FilterInput, type Group } from './filterTable.ts';
import { type KeyFigures, type PresentedFigures, presentFigures, presentSeries } from './presentFigures.ts';
import { previousRange } from './previousRange.ts';
import { type Figures, readFigures } from './readFigures.ts';
import { INTERVALS, type Range } from './readRange.ts';
import { readScope } from './readScope.ts';
import type { Count } from './Tally.ts';
import { tagNamesFor, topRows } from './topRows.ts';

export type { AnalyticsEvent, Granularity, Group, KeyFigures };

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
  /** Whether to count the period before too. */
  compare?: boolean | null;
}

export interface BreakdownsInput extends Omit<AnalyticsInput, 'groupBy' | 'granularity'> {
  groupBys: Group[];
}

export interface AnalyticsResult {
  event: string;
  groupBy: string;
  start: Date;
  /** Exclusive. */
  end: Date;
  timezone: string;
  /**
   * Up to here, every stored click of the project is in the answer; later ones are as far as they are in blocks. Null: all are. A
   * period before may be what lacks some.
   */
  asOf: Date | null;
  /** Null unless grouped by time. */
  granularity: string | null;
  total: PresentedFigures;
  /** Most frequent first, or in the order of time; empty for groupBy `none`. */
  data: KeyFigures[];
  /** The sum of the rows that `limit` cut off; null without any. */
  others: PresentedFigures | null;
  /** The period before, see `previousRange`; null unless it was asked for. `previousEnd` is exclusive. */
  previousStart: Date | null;
  previousEnd: Date | null;
  previous: PresentedFigures | null;
  /** The buckets of the period before; null without it, and unless grouped by time. */
  previousData: KeyFigures[] | null;
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
  const [result] = await answer(principal, input, [(input.groupBy ?? 'none') as Group]);
  return result as AnalyticsResult;
}

/**
 * What `readAnalytics` returns for each of these groupings, in one pass over the events: a page of many groupings costs about as much
 * as one. Throws what `readAnalytics` throws.
 */
export function readBreakdowns(
  principal: Principal,
  { groupBys, ...input }: BreakdownsInput,
): Promise<AnalyticsResult[]> {
  return answer(principal, input, groupBys);
}

async function answer(principal: Principal, input: AnalyticsInput, groupBys: Group[]): Promise<AnalyticsResult[]> {
  const project = await authorizeProject(principal, 'analytics:read', input.projectId);
  const scope = await readScope(project, input);
  const groupings = groupBys.map((groupBy) => groupingOf(input, groupBy, scope.range));
  const figures = await readFigures({ ...scope, groupings });
  const before = input.compare ? await readPrevious(input, scope, groupings) : null;
  return Promise.all(
    groupings.map(async (grouping, at) => ({
      ...(await presentResult(input, { ...scope, ...grouping }, figures[at] as Figures)),
      asOf: earliest(figures[at]?.asOfMs ?? null, before?.asOfMs ?? null),
      ...presentPrevious(before, grouping, scope.event),
    })),
  );
}

interface Previous {
  range: Range;
  /** By class; null for all classes. */
  totals: Map<string | null, Count>;
  series: { starts: number[]; cells: Figures['cells'] } | null;
  asOfMs: number | null;
}

/** The period before in one pass: the totals by class, and its buckets where time is grouped. Null where there is no such period. */
async function readPrevious(
  input: AnalyticsInput,
  scope: EventScope,
  groupings: readonly Grouping[],
): Promise<Previous | null> {
  const range = previousRange(scope.range, timezoneOf(input));
  if (!range) return null;
  const classes = [...new Set(groupings.map(({ trafficClass }) => trafficClass))];
  const totals = classes.map((trafficClass): Grouping => ({ groupBy: 'none', starts: [], trafficClass }));
  // Buckets as long as those that they are compared with, although the ranges may differ by an hour.
  const granularity = groupings.some(({ groupBy }) => groupBy === 'time') ? granularityOf(input, scope.range) : null;
  const series = granularity ? [groupingOf({ ...input, granularity }, 'time', range)] : [];
  const figures = await readFigures({ ...scope, range, groupings: [...totals, ...series] });
  const [time] = figures.slice(totals.length);
  return {
    range,
    totals: new Map(classes.map((trafficClass, at) => [trafficClass, (figures[at] as Figures).total])),
    series: time && series[0] ? { starts: series[0].starts, cells: time.cells } : null,
    asOfMs: figures[0]?.asOfMs ?? null,
  };
}

function presentPrevious(
  before: Previous | null,
  { groupBy, trafficClass }: Grouping,
  event: AnalyticsEvent,
): Pick<AnalyticsResult, 'previousStart' | 'previousEnd' | 'previous' | 'previousData'> {
  if (!before) return { previousStart: null, previousEnd: null, previous: null, previousData: null };
  const { range, totals, series } = before;
  return {
    previousStart: new Date(range.start),
    previousEnd: new Date(range.end),
    previous: presentFigures(totals.get(trafficClass) as Count, event),
    previousData: groupBy === 'time' && series ? presentSeries(series.starts, series.cells, event) : null,
  };
}

function earliest(...moments: (number | null)[]): Date | null {
  const known = moments.filter((ms) => ms !== null);
  return known.length === 0 ? null : new Date(Math.min(...known));
}

function groupingOf(input: AnalyticsInput, groupBy: Group, range: Range): Grouping {
  const granularity = groupBy === 'time' ? granularityOf(input, range) : null;
  const starts = granularity ? bucketStarts(range, granularity, timezoneOf(input)) : [];
  return { groupBy, starts, trafficClass: wantedClass(input, groupBy) };
}

/** The class to count; null for all. The default is people, and all classes where the input groups or filters by class. */
function wantedClass({ traffic, trafficClass }: AnalyticsInput, groupBy: Group): string | null {
  const asksAboutClasses = groupBy === 'traffic_class' || (trafficClass !== undefined && trafficClass !== null);
  const wanted = traffic ?? (asksAboutClasses ? 'all' : 'human');
  return wanted === 'all' ? null : wanted;
}

function granularityOf(input: AnalyticsInput, range: Range): string {
  return input.granularity ?? defaultGranularity(range);
}

function timezoneOf({ timezone }: AnalyticsInput): string {
  return timezone ?? 'UTC';
}

async function presentResult(
  input: AnalyticsInput,
  query: AnalyticsQuery,
  figures: Figures,
): Promise<Omit<AnalyticsResult, 'asOf' | keyof ReturnType<typeof presentPrevious>>> {
  const { projectId, event, groupBy, range, starts } = query;
  const result = {
    event,
    groupBy,
    start: new Date(range.start),
    end: new Date(range.end),
    timezone: timezoneOf(input),
    granularity: groupBy === 'time' ? granularityOf(input, range) : null,
    total: presentFigures(figures.total, event),
  };
  if (groupBy === 'none') return { ...result, data: [], others: null };
  if (groupBy === 'time') return { ...result, data: presentSeries(starts, figures.cells, event), others: null };
  const { rows, others } = await topRows(query, figures, input.limit ?? 100);
  const named = groupBy === 'tag' ? await tagNamesFor(projectId, rows) : rows;
  const data = named.map(({ key, ...count }) => {
    const row = { key, ...presentFigures(count, event) };
    return groupBy === 'link' ? { ...row, linkId: key } : row;
  });
  return { ...result, data, others: others && presentFigures(others, event) };
}
