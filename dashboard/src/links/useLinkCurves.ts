import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask } from '../kernel/ask.ts';
import { graphql } from '../kernel/graphql.ts';
import { queryKey } from '../kernel/queries.ts';
import { timezone } from '../kernel/times.ts';
import { useCan } from '../session/permissions.ts';
import type { LinkRowData } from './useLinkList.ts';

const LINK_SERIES = graphql(`
  query LinkSeries($projectId: ID!, $linkIds: [ID!]!, $interval: String, $timezone: String) {
    linkSeries(projectId: $projectId, linkIds: $linkIds, interval: $interval, timezone: $timezone) {
      data {
        linkId
        counts
      }
    }
  }
`);

type Curves = ReadonlyMap<string, readonly number[]>;

/** Links in one operation, the most that the server takes. */
const TOGETHER = 100;
const INTERVAL = '30d';
const FRESH_MS = 60_000;
const NONE: Curves = new Map();

interface CurvesOptions {
  projectId: string;
  rows: readonly LinkRowData[];
  /** The first and the last row on the page. */
  first: number;
  last: number;
  isShown: boolean;
}

/**
 * Clicks per day of the last month for the rows in view, a hundred rows at a time. They are asked for beside the list: if that
 * fails, the list stands without curves.
 */
export function useLinkCurves({ projectId, rows, first, last, isShown }: CurvesOptions): Curves {
  const { isAllowed } = useCan('analytics:read');
  const from = Math.floor(first / TOGETHER);
  const to = Math.floor(Math.max(first, last) / TOGETHER);
  const isWanted = isAllowed && isShown;
  const queries = useMemo(() => {
    const parts = isWanted ? Array.from({ length: to - from + 1 }, (_, part) => from + part) : [];
    const ids = parts.map((part) => clickedIds(rows.slice(part * TOGETHER, (part + 1) * TOGETHER)));
    return ids.filter(({ length }) => length > 0).map((linkIds) => curvesQuery(projectId, linkIds));
  }, [projectId, rows, from, to, isWanted]);
  return useQueries({ queries, combine: combined });
}

/** Links that nobody has clicked have no curve to ask for. */
function clickedIds(rows: readonly LinkRowData[]): string[] {
  return rows.filter(({ clicks }) => clicks > 0).map(({ id }) => id);
}

function curvesQuery(projectId: string, linkIds: string[]) {
  const variables = { projectId, linkIds, interval: INTERVAL, timezone: timezone() };
  return {
    queryKey: queryKey('analytics', LINK_SERIES, variables),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Curves> => {
      const { linkSeries } = await ask(LINK_SERIES, variables, signal);
      return new Map(linkSeries.data.map(({ linkId, counts }) => [linkId, counts]));
    },
    staleTime: FRESH_MS,
    placeholderData: undefined,
  };
}

function combined(results: readonly { data: Curves | undefined }[]): Curves {
  const [one, ...others] = results.flatMap(({ data }) => (data ? [data] : []));
  if (!one) return NONE;
  return others.length === 0 ? one : new Map([one, ...others].flatMap((curves) => [...curves]));
}
