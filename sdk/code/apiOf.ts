import type { Ask, Svc } from '../client/index.ts';
import type { BulkResult, CodeApi, LinkFilter, Rehearsal } from './api.ts';
import type { Fields, Row } from './types.ts';

type Kind = 'tag' | 'domain' | 'webhook';

/** The operations of a kind, by their ids. */
const OPERATIONS = {
  tag: { list: 'listTags', create: 'createTag', update: 'updateTag', remove: 'deleteTag' },
  domain: { list: 'listDomains', create: 'createDomain', update: 'updateDomain', remove: 'deleteDomain' },
  webhook: { list: 'listWebhooks', create: 'createWebhook', update: 'updateWebhook', remove: 'deleteWebhook' },
} as const;

/** The longest page of lists. */
const PAGE = 100;
/** Of a thousand links under load. */
const BULK_TIMEOUT_SECONDS = 120;

/** What the engine asks, by a client. */
export function apiOf(client: Svc, signal?: AbortSignal): CodeApi {
  const ask = (options: Ask): Ask => ({ ...(signal ? { signal } : {}), ...options });
  const bulk = async (
    operation: 'bulkUpsertLinks' | 'bulkUpdateLinks' | 'bulkDeleteLinks',
    body: Fields,
    dryRun?: boolean,
  ) => {
    const answer = await client.request(operation, ask({ body, dryRun, timeoutSeconds: BULK_TIMEOUT_SECONDS }));
    return answer.json<{ results: BulkResult[] }>().results;
  };
  return {
    maxLookups: 6,
    async project() {
      const { project } = (await client.request('getCurrentKey', ask({}))).json<{
        project: { id: string; name: string; default_domain: string };
      }>();
      return { id: project.id, name: project.name, defaultDomain: project.default_domain };
    },
    exportLinks: (filter) => exportLinks(client, filter, ask({})),
    async findLink(by) {
      try {
        return (await client.request('lookupLink', ask({ query: by }))).json<Row>();
      } catch (error) {
        if ((error as { code?: unknown }).code === 'not_found') return null;
        throw error;
      }
    },
    async countLinks(tag) {
      return (await client.request('countLinks', ask({ query: { tag } }))).json<{ count: number }>().count;
    },
    list: (kind, filter) => listAll(client, OPERATIONS[kind].list, (query) => ask({ query: { ...filter, ...query } })),
    async create(kind: Kind, body: Fields, { dryRun }: Rehearsal = {}) {
      return (await client.request(OPERATIONS[kind].create, ask({ body, dryRun }))).json<Row>();
    },
    async update(kind, id, body, { dryRun } = {}) {
      return (await client.request(OPERATIONS[kind].update, ask({ variables: { id }, body, dryRun }))).json<Row>();
    },
    async remove(kind, id, { dryRun } = {}) {
      await client.request(OPERATIONS[kind].remove, ask({ variables: { id }, dryRun }));
    },
    async turn(id, to, { dryRun } = {}) {
      const operation = to === 'enable' ? 'enableWebhook' : 'disableWebhook';
      await client.request(operation, ask({ variables: { id }, dryRun }));
    },
    putLinks: (links, { dryRun } = {}) => bulk('bulkUpsertLinks', { links }, dryRun),
    patchLinks: (ids, set, { dryRun } = {}) => bulk('bulkUpdateLinks', { ids, set }, dryRun),
    removeLinks: (ids, { dryRun } = {}) => bulk('bulkDeleteLinks', { ids }, dryRun),
  };
}

async function listAll(
  client: Svc,
  operation: 'listTags' | 'listDomains' | 'listWebhooks',
  ask: (query: Fields) => Ask,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const answer = await client.request(operation, ask({ limit: PAGE, ...(cursor ? { cursor } : {}) }));
    const page = answer.json<{ data: Row[]; next_cursor: string | null }>();
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

/** One link a line. */
async function* exportLinks(client: Svc, filter: LinkFilter, ask: Ask): AsyncGenerator<Row> {
  const { stream, mediaType } = await client.request('exportLinks', {
    ...ask,
    query: { ...filter, format: 'ndjson' },
    isStreamed: true,
  });
  if (mediaType !== 'application/x-ndjson' || !stream)
    throw Object.assign(new Error('The server is older than links as code: it exports no links as lines of JSON.'), {
      code: 'server_too_old',
    });
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of stream as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line) yield JSON.parse(line) as Row;
  }
  if (rest.trim()) yield JSON.parse(rest) as Row;
}
