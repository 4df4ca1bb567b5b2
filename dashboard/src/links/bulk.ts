import { ask } from '../kernel/ask.ts';
import { askPatiently } from '../kernel/askPatiently.ts';
import { graphql, type ResultOf, type VariablesOf } from '../kernel/graphql.ts';
import { type BulkAction, changesOf } from './bulkChanges.ts';
import { BULK_UPDATE } from './bulkOperations.ts';
import { type BulkLink, type BulkProgress, NO_PROGRESS } from './bulkProgress.ts';
import { filterVariables, type LinkFilters } from './filters.ts';
import type { Selection } from './selection.ts';

const BULK_DELETE = graphql(`
  mutation BulkDeleteLinks($input: BulkDeleteLinksInput!) {
    bulkDeleteLinks(input: $input) {
      results {
        index
        status
        error {
          code
          message
        }
      }
    }
  }
`);

const FOUND_LINKS = graphql(`
  query FoundLinks(
    $projectId: ID!
    $cursor: String
    $search: String
    $tags: [String!]
    $tagMode: TagMode
    $isUntagged: Boolean
    $status: LinkStatus
    $domain: String
    $createdAfter: DateTimeISO
    $createdBefore: DateTimeISO
    $batchId: String
    $createdBy: ID
    $hasRouting: Boolean
  ) {
    links(
      projectId: $projectId
      cursor: $cursor
      limit: 100
      search: $search
      tags: $tags
      tagMode: $tagMode
      isUntagged: $isUntagged
      status: $status
      domain: $domain
      createdAfter: $createdAfter
      createdBefore: $createdBefore
      batchId: $batchId
      createdBy: $createdBy
      hasRouting: $hasRouting
    ) {
      data {
        id
        shortUrl
        domain
        tags
        archivedAt
        expiresAt
      }
      nextCursor
    }
  }
`);

/** Links in one call, the most that the server takes. */
const BATCH = 1000;

interface BulkRun {
  projectId: string;
  filters: LinkFilters;
  selection: Selection;
  /** Those that were selected one by one are among these. */
  rows: readonly BulkLink[];
  action: BulkAction;
  signal: AbortSignal;
  onProgress: (progress: BulkProgress) => void;
}

/**
 * Does something with every selected link, in batches, until all are done or `signal` stops it. All that the filters find are
 * collected first: what is changed would move in the list while it is walked. A batch that was sent is waited for, so that what
 * it changed is known, and can be undone. Throws the error of a batch only if nothing was changed before it.
 */
export async function runBulk({
  projectId,
  filters,
  selection,
  rows,
  action,
  signal,
  onProgress,
}: BulkRun): Promise<BulkProgress> {
  const progress: BulkProgress = { ...NO_PROGRESS, failures: [], before: [] };
  const links =
    selection.kind === 'all'
      ? await collectAll(projectId, filters, signal, (found) => onProgress({ ...progress, found }))
      : rows.filter(({ id }) => selection.ids.has(id));
  const byId = new Map(links.map((link) => [link.id, link]));
  for (const { ids, send } of batches(projectId, links, action)) {
    if (signal.aborted) break;
    try {
      for (const { index, status, error } of await askPatiently(send, signal)) {
        const link = byId.get(ids[index] ?? '');
        if (!link) continue;
        if (status === 'failed') progress.failures.push({ shortUrl: link.shortUrl, message: error?.message ?? '' });
        else progress.before.push(link);
      }
    } catch (error) {
      if (progress.before.length === 0) throw error;
      const { message } = error as Error;
      progress.failures.push(...ids.map((id) => ({ shortUrl: byId.get(id)?.shortUrl ?? id, message })));
    }
    progress.done += ids.length;
    onProgress({ ...progress });
  }
  return { ...progress, isStopped: signal.aborted };
}

async function collectAll(
  projectId: string,
  filters: LinkFilters,
  signal: AbortSignal,
  onFound: (count: number) => void,
): Promise<BulkLink[]> {
  const links: BulkLink[] = [];
  let cursor: string | null = null;
  do {
    const variables: VariablesOf<typeof FOUND_LINKS> = { projectId, cursor, ...filterVariables(filters) };
    const page: { data: BulkLink[]; nextCursor: string | null } = await askPatiently(
      async () => (await ask(FOUND_LINKS, variables, signal)).links,
      signal,
    );
    links.push(...page.data);
    cursor = page.nextCursor;
    onFound(links.length);
  } while (cursor !== null && !signal.aborted);
  return links;
}

type BatchResult = Pick<
  ResultOf<typeof BULK_UPDATE>['bulkUpdateLinks']['results'][number],
  'index' | 'status' | 'error'
>;

interface Batch {
  ids: string[];
  send: (sentBefore: number) => Promise<readonly BatchResult[]>;
}

function batches(projectId: string, links: readonly BulkLink[], action: BulkAction): Batch[] {
  if (action.kind === 'delete') {
    return chunks(links.map(({ id }) => id)).map((ids) => ({
      ids,
      send: async (sentBefore) => {
        const { results } = (await ask(BULK_DELETE, { input: { projectId, ids } })).bulkDeleteLinks;
        // An earlier try may have deleted it without being able to say so.
        const isDone = ({ error }: BatchResult) => sentBefore > 0 && error?.code === 'not_found';
        return results.map((result) => (isDone(result) ? { ...result, status: 'deleted', error: null } : result));
      },
    }));
  }
  return changesOf(links, action).flatMap(({ change, ids }) =>
    chunks(ids).map((some) => ({
      ids: some,
      send: async () =>
        (await ask(BULK_UPDATE, { input: { projectId, ids: some, ...change } })).bulkUpdateLinks.results,
    })),
  );
}

function chunks(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, index) =>
    ids.slice(index * BATCH, (index + 1) * BATCH),
  );
}
