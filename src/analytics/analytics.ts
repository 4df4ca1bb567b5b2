import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { type FieldProblem, validationFailed } from '../kernel/errors.ts';
import { bucketStarts, defaultGranularity } from './bucketStarts.ts';
import type { FilterInput } from './filterTable.ts';
import { firstEventAt } from './firstEventAt.ts';
import { type FiguresOfKey, type PresentedFigures, presentFigures, presentSeries } from './presentFigures.ts';
import type { Question } from './Question.ts';
import { readFigures } from './readFigures.ts';
import { readFilters } from './readFilters.ts';
import { readRange } from './readRange.ts';
import { tagNamesFor } from './tagNamesFor.ts';
import { topRows } from './topRows.ts';

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
  total: PresentedFigures;
  /** The most frequent first, or in the order of time; empty for groupBy `none`. */
  data: FiguresOfKey[];
  others: PresentedFigures | null;
}

/**
 * Counts what happened in a project. Throws what `authorizeProject` throws, and `validation_failed` for start, end and
 * interval that make no range, for more than 10,000 buckets, for filters that cannot be read and links or tags that the
 * project does not have.
 */
export async function analytics(principal: Principal, input: AnalyticsInput): Promise<AnalyticsResult> {
  const project = await authorizeProject(principal, 'analytics:read', input.projectId);
  const problems: FieldProblem[] = [];
  const since =
    input.interval === 'all'
      ? Math.min(project.createdAt.getTime(), await firstEventAt(project.id))
      : project.createdAt.getTime();
  const range = readRange(input, since, problems);
  const filters = await readFilters(project.id, input, problems);
  if (problems.length > 0) throw validationFailed(problems);

  const groupBy = (input.groupBy ?? 'none') as Question['groupBy'];
  const timezone = input.timezone ?? 'UTC';
  const granularity = groupBy === 'time' ? (input.granularity ?? defaultGranularity(range)) : null;
  const starts = granularity ? bucketStarts(range, granularity, timezone) : [];
  const event = (input.event ?? 'click') as Question['event'];
  const question = { projectId: project.id, event, range, groupBy, starts, trafficClass: wantedClass(input), filters };
  const figures = await readFigures(question);

  const { start, end } = range;
  const answer = { event, groupBy, start: new Date(start), end: new Date(end), timezone, granularity };
  const total = presentFigures(figures.total, event);
  if (groupBy === 'none') return { ...answer, total, data: [], others: null };
  if (granularity) return { ...answer, total, data: presentSeries(starts, figures.cells, event), others: null };
  const { rows, others } = await topRows(question, figures, input.limit ?? 100);
  const named = groupBy === 'tag' ? await tagNamesFor(project.id, rows) : rows;
  const data = named.map(({ key, ...count }) => ({ key, ...presentFigures(count, event) }));
  return { ...answer, total, data, others: others && presentFigures(others, event) };
}

/** People alone, unless something else is asked for: who asks about classes wants to see them. */
function wantedClass({ traffic, trafficClass, groupBy }: AnalyticsInput): string | null {
  const isAboutClasses = groupBy === 'traffic_class' || (trafficClass !== undefined && trafficClass !== null);
  const wanted = traffic ?? (isAboutClasses ? 'all' : 'human');
  return wanted === 'all' ? null : wanted;
}
