import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { ask } from '../kernel/ask.ts';
import { type FragmentOf, type ResultOf, readFragment } from '../kernel/graphql.ts';
import { queryKey, useAsk } from '../kernel/queries.ts';
import { filterVariables, type LinkFilters, sortVariables } from './filters.ts';
import { LINK_FACETS, LINK_ROW, LINKS } from './operations.ts';

export type LinkRowData = ResultOf<typeof LINK_ROW>;
type LinksPage = ResultOf<typeof LINKS>;

/** Rows of a page. A hundred take 45 kB and 30 ms. */
const PAGE = 100;
const FRESH_MS = 60_000;
const FEW_PAGES = 3;

/** The list, page after page as far as somebody has scrolled. Kept while a link is looked at, and asked anew afterwards. */
export function useLinkList(projectId: string, filters: LinkFilters) {
  const variables = { projectId, limit: PAGE, ...filterVariables(filters), ...sortVariables(filters) };
  const query = useInfiniteQuery<LinksPage, Error, LinkRowData[], readonly unknown[], string | null>({
    queryKey: queryKey('links', LINKS, variables),
    queryFn: ({ pageParam, signal }) => ask(LINKS, { ...variables, cursor: pageParam }, signal),
    initialPageParam: null,
    getNextPageParam: (page) => page.links.nextCursor,
    select: rowsOf,
    placeholderData: (earlier) => earlier,
    // Coming back from a link asks nothing; a change, which marks the list as old, asks every loaded page again.
    staleTime: FRESH_MS,
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= FEW_PAGES,
  });
  return { ...query, rows: query.data ?? [] };
}

function rowsOf({ pages }: InfiniteData<LinksPage, string | null>): LinkRowData[] {
  return pages.flatMap(({ links }) => readRows(links.data));
}

export function readRows(rows: readonly FragmentOf<typeof LINK_ROW>[]): LinkRowData[] {
  return rows.map((row) => readFragment(LINK_ROW, row));
}

/** Counts beside the list, which take longer than a page of it and may fail alone. */
export function useLinkFacets(projectId: string, filters: LinkFilters) {
  const variables = { projectId, ...filterVariables(filters) };
  return useAsk({ about: 'links', document: LINK_FACETS, variables, freshMs: FRESH_MS }).data?.linkFacets ?? null;
}
