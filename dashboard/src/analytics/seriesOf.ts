import type { ResultOf } from '../kernel/graphql.ts';
import type { Series, SeriesPoint, Span } from '../ui/charts/series.ts';
import type { SERIES } from './operations.ts';

type Answer = Pick<
  ResultOf<typeof SERIES>['analytics'],
  'start' | 'end' | 'timezone' | 'granularity' | 'data' | 'previousData'
>;

/** A minute of grace: the answer was on its way. */
const NOW_MS = 60_000;

/** The answer of the API as a chart takes it. Buckets without clicks are in it, with a count of 0. */
export function seriesOf(answer: Answer, mark: Span | null): Series {
  const points = pointsOf(answer.data);
  return {
    granularity: answer.granularity ?? 'day',
    timezone: answer.timezone,
    points,
    end: answer.end,
    before: answer.previousData ? pointsOf(answer.previousData) : null,
    mark,
    isFirstPartial: (points[0]?.at ?? answer.start) < answer.start,
    isLastPartial: Date.parse(answer.end) > Date.now() - NOW_MS,
  };
}

function pointsOf(rows: Answer['data']): SeriesPoint[] {
  return rows.map(({ key, count }) => ({ at: key ?? '', value: count }));
}
