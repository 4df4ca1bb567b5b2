import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { type FieldProblem, validationFailed } from '../kernel/errors.ts';
import { bucketStarts, defaultGranularity } from './bucketStarts.ts';
import { clickedBetween } from './clickedBetween.ts';
import { dayCellsFor, type Question } from './dayCells.ts';
import {
  type Figures,
  type FiguresOfKey,
  presentFigures,
  presentKeys,
  presentOthers,
  presentSeries,
} from './presentFigures.ts';
import { readFigures } from './readFigures.ts';
import { type FilterInput, readFilters } from './readFilters.ts';
import { type Range, readRange } from './readRange.ts';
import { cutSpans } from './spans.ts';

/** Its values were checked against the API's rules; what is left out has the defaults of api.md §5. */
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
  total: Figures;
  /** The most clicked first, or in the order of time; empty for groupBy `none`. */
  data: FiguresOfKey[];
  others: Figures | null;
}

/**
 * Counts clicks of a project. Throws what `authorizeProject` throws, and `validation_failed` for start, end and interval
 * that make no range, for more than 10,000 buckets, for filters that cannot be read and links the project does not have.
 */
export async function analytics(principal: Principal, input: AnalyticsInput): Promise<AnalyticsResult> {
  const project = await authorizeProject(principal, 'analytics:read', input.projectId);
  const clicked = await clickedBetween(project.id);
  const problems: FieldProblem[] = [];
  const since = Math.min(project.createdAt.getTime(), clicked?.first ?? Number.POSITIVE_INFINITY);
  const range = readRange(input, since, problems);
  const filters = await readFilters(project.id, input, problems);
  if (problems.length > 0) throw validationFailed(problems);

  const { event, groupBy, timezone, traffic, limit } = withDefaults(input);
  const granularity = groupBy === 'time' ? (input.granularity ?? defaultGranularity(range)) : null;
  const starts = granularity ? bucketStarts(range, granularity, timezone) : [range.start];
  const read = (asked: Question['groupBy'], buckets: Range[]) => {
    const question = {
      projectId: project.id,
      groupBy: asked,
      trafficClass: traffic === 'all' ? null : traffic,
      filters,
    };
    return readFigures(question, cutSpans(buckets, clicked, dayCellsFor(question) !== null), limit);
  };
  const [total, grouped] = await Promise.all([
    read('none', [range]),
    groupBy === 'none' ? null : read(groupBy, bucketRanges(starts, range)),
  ]);

  const answer = { event, groupBy, start: new Date(range.start), end: new Date(range.end), timezone, granularity };
  if (!grouped) return { ...answer, total: presentFigures(total), data: [], others: null };
  return {
    ...answer,
    // Clicks that come between the two readings must not make rows that do not add up to the total.
    total: presentFigures({ count: grouped.count, unique: total.unique }),
    data: granularity ? presentSeries(starts, grouped.rows) : presentKeys(grouped.rows),
    others: granularity ? null : presentOthers(grouped),
  };
}

function withDefaults({ event, groupBy, timezone, traffic, limit }: AnalyticsInput) {
  return {
    event: event ?? 'click',
    groupBy: (groupBy ?? 'none') as Question['groupBy'],
    timezone: timezone ?? 'UTC',
    traffic: traffic ?? 'human',
    limit: limit ?? 100,
  };
}

/** Each bucket up to the next, within the range. */
function bucketRanges(starts: number[], { start, end }: Range): Range[] {
  return starts.map((at, index) => ({ start: Math.max(at, start), end: starts[index + 1] ?? end }));
}
