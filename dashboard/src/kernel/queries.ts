import {
  type MutateOptions,
  QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { TadaDocumentNode } from 'gql.tada';
import { useRef } from 'react';
import { ask } from './ask.ts';
import { useBusy } from './busy.ts';
import { GraphqlError } from './GraphqlError.ts';

/** What an operation is about. A change names the subjects that it may have touched, and their queries are asked again. */
export type Subject =
  | 'session'
  | 'links'
  | 'pages'
  | 'tags'
  | 'imports'
  | 'webhooks'
  | 'deliveries'
  | 'events'
  | 'analytics'
  | 'setup'
  | 'clicks'
  | 'domains'
  | 'alerts'
  | 'health'
  | 'apps'
  | 'keys'
  | 'team'
  | 'audit'
  | 'account'
  | 'projects';

/** Failures that pass by themselves. */
const PASSING = new Set(['unreachable', 'unavailable', 'internal_error', 'rate_limited']);
const RETRIES = 3;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => error instanceof GraphqlError && PASSING.has(error.code) && failures < RETRIES,
      retryDelay: (attempt, error) =>
        error instanceof GraphqlError && error.retryAfterSeconds !== null
          ? error.retryAfterSeconds * 1000
          : Math.min(1000 * 2 ** attempt, 10_000),
      // Whether the service can be reached is found out by asking it: see `watchReach`.
      networkMode: 'always',
    },
    // A change that waits for the network would happen when nobody expects it any more.
    // Nor is kept what was sent, which may hold a password.
    mutations: { networkMode: 'always', gcTime: 0 },
  },
});

interface Asking<Data, Variables> {
  about: Subject;
  document: TadaDocumentNode<Data, Variables>;
  variables: Variables;
  /** Nothing is asked while this is false. */
  isEnabled?: boolean;
  /** How often it is asked again while the page is visible; false: not at all. */
  pollMs?: number | false | ((data: Data | undefined) => number | false);
  /** Whether the data of earlier variables is shown until the new one is there. Off where it would be of another thing. */
  keepsEarlier?: boolean;
  /** How long an answer is not asked for again by itself. Longer where each costs a quota. */
  freshMs?: number;
}

/** What a component shows: asked once for equal variables, and again after a change to its subject. */
export function useAsk<Data, Variables>({
  about,
  document,
  variables,
  isEnabled = true,
  pollMs = false,
  keepsEarlier = true,
  freshMs,
}: Asking<Data, Variables>): UseQueryResult<Data, Error> {
  return useQuery<Data, Error>({
    queryKey: queryKey(about, document, variables),
    queryFn: ({ signal }) => ask(document, variables, signal),
    enabled: isEnabled,
    refetchInterval: typeof pollMs === 'function' ? (query) => pollMs(query.state.data) : pollMs,
    ...(freshMs === undefined ? {} : { staleTime: freshMs }),
    placeholderData: keepsEarlier ? earlierOf(variables) : undefined,
  });
}

/** Keeps what earlier variables brought until the new is there, unless it is of another project or team. */
function earlierOf(variables: unknown) {
  const ownerOf = (of: unknown) => {
    const { projectId, teamId } = (of ?? {}) as { projectId?: string; teamId?: string };
    return `${projectId} ${teamId}`;
  };
  return <Data>(data: Data | undefined, query: { queryKey: readonly unknown[] } | undefined) =>
    ownerOf(query?.queryKey[2]) === ownerOf(variables) ? data : undefined;
}

export function queryKey(about: Subject, document: TadaDocumentNode<unknown, never> | object, variables: unknown) {
  return [about, nameOf(document), variables] as const;
}

interface Changing<Data, Variables> {
  document: TadaDocumentNode<Data, Variables>;
  /** Subjects whose queries are asked again afterwards. */
  touches: readonly Subject[];
  /** The change is under way until this is done too, so that its button cannot be pressed again before the next page is there. */
  onDone?: (data: Data, variables: Variables) => unknown;
}

/**
 * A change. `isPending` is for its button, and comes a moment late: what is sent already is not sent a second time, however
 * fast somebody presses.
 */
export function useChange<Data, Variables>({ document, touches, onDone }: Changing<Data, Variables>) {
  const client = useQueryClient();
  const sent = useRef(new Set<string>());
  const mutation = useMutation<Data, Error, Variables>({
    mutationFn: (variables) => ask(document, variables).finally(() => sent.current.delete(JSON.stringify(variables))),
    onSuccess: (data, variables) => {
      refresh(touches, client);
      return onDone?.(data, variables);
    },
  });
  useBusy(mutation.isPending);
  const mutate = (variables: Variables, options?: MutateOptions<Data, Error, Variables>) => {
    const key = JSON.stringify(variables);
    if (sent.current.has(key)) return;
    sent.current.add(key);
    mutation.mutate(variables, options);
  };
  return { ...mutation, mutate };
}

/** Asks the queries of these subjects again, as far as they are shown. */
export function refresh(subjects: readonly Subject[], client: QueryClient = queryClient): Promise<unknown> {
  return Promise.all(subjects.map((subject) => client.invalidateQueries({ queryKey: [subject] })));
}

/** Asks what is shown again, as far as it failed or may be out of date: the service answers again. */
export function refreshAll(): Promise<unknown> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== 'session' || queryKey.length > 1,
  });
}

function nameOf(document: object): string {
  const { definitions } = document as { definitions: readonly { name?: { value: string } }[] };
  return definitions[0]?.name?.value ?? '';
}

interface Paging<Data, Variables, Row> {
  about: Subject;
  document: TadaDocumentNode<Data, Variables>;
  variables: Omit<Variables, 'cursor'>;
  /** The list in the answer. */
  pageOf: (data: Data) => { data: readonly Row[]; nextCursor: string | null };
  /** How often the loaded pages are asked again while the page is visible; false: not at all. */
  pollMs?: number | false | ((rows: readonly Row[]) => number | false);
}

/** A list, page after page as somebody asks for more. */
export function usePages<Data, Variables extends { cursor?: string | null }, Row>({
  about,
  document,
  variables,
  pageOf,
  pollMs = false,
}: Paging<Data, Variables, Row>) {
  const query = useInfiniteQuery({
    queryKey: [...queryKey(about, document, variables), 'pages'],
    queryFn: async ({ pageParam, signal }) =>
      pageOf(await ask(document, { ...variables, cursor: pageParam } as Variables, signal)),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval:
      typeof pollMs === 'function'
        ? ({ state }) => pollMs(state.data?.pages.flatMap((page) => page.data) ?? [])
        : pollMs,
    placeholderData: earlierOf(variables),
  });
  return { ...query, rows: query.data?.pages.flatMap((page) => page.data) ?? [] };
}
