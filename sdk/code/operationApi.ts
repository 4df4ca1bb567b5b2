import type { BulkResult, CodeApi, LinkFilter } from './api.ts';
import type { Fields, Row } from './types.ts';

/** What an operation is asked. */
export interface OperationAsk {
  variables?: Record<string, string>;
  query?: Record<string, string>;
  body?: Fields;
  dryRun?: boolean;
}

/** Carries out an operation by its id and gives the body of its answer. Throws refusals with their `code`. */
export type AskOperation = (operation: string, ask: OperationAsk) => Promise<unknown>;

interface Ways {
  ask: AskOperation;
  maxLookups: number;
  exportLinks(filter: LinkFilter): AsyncIterable<Row>;
}

/** The operations of each kind, by their ids. */
export const OPERATIONS = {
  tag: { list: 'listTags', create: 'createTag', update: 'updateTag', remove: 'deleteTag' },
  domain: { list: 'listDomains', create: 'createDomain', update: 'updateDomain', remove: 'deleteDomain' },
  webhook: { list: 'listWebhooks', create: 'createWebhook', update: 'updateWebhook', remove: 'deleteWebhook' },
} as const;

/** The longest page of lists. */
const PAGE = '100';

/** What the engine asks, by whatever carries out operations. */
export function operationApi({ ask, maxLookups, exportLinks }: Ways): CodeApi {
  const bulk = async (operation: string, body: Fields, dryRun = false) =>
    ((await ask(operation, { body, dryRun })) as { results: BulkResult[] }).results;
  return {
    maxLookups,
    exportLinks,
    async project() {
      const { project } = (await ask('getCurrentKey', {})) as {
        project: { id: string; name: string; default_domain: string };
      };
      return { id: project.id, name: project.name, defaultDomain: project.default_domain };
    },
    async findLink(by) {
      try {
        return (await ask('lookupLink', { query: { ...by } })) as Row;
      } catch (error) {
        if ((error as { code?: unknown }).code === 'not_found') return null;
        throw error;
      }
    },
    async countLinks(tag) {
      return ((await ask('countLinks', { query: { tag } })) as { count: number }).count;
    },
    async list(kind, filter = {}) {
      const rows: Row[] = [];
      for await (const row of pagesOf(ask, OPERATIONS[kind].list, filter)) rows.push(row);
      return rows;
    },
    async create(kind, body, { dryRun = false } = {}) {
      return (await ask(OPERATIONS[kind].create, { body, dryRun })) as Row;
    },
    async update(kind, id, body, { dryRun = false } = {}) {
      return (await ask(OPERATIONS[kind].update, { variables: { id }, body, dryRun })) as Row;
    },
    async remove(kind, id, { dryRun = false } = {}) {
      await ask(OPERATIONS[kind].remove, { variables: { id }, dryRun });
    },
    async turn(id, to, { dryRun = false } = {}) {
      await ask(to === 'enable' ? 'enableWebhook' : 'disableWebhook', { variables: { id }, dryRun });
    },
    putLinks: (links, { dryRun } = {}) => bulk('bulkUpsertLinks', { links }, dryRun),
    patchLinks: (ids, set, { dryRun } = {}) => bulk('bulkUpdateLinks', { ids, set }, dryRun),
    removeLinks: (ids, { dryRun } = {}) => bulk('bulkDeleteLinks', { ids }, dryRun),
  };
}

/** All rows of a list, page by page. */
export async function* pagesOf(ask: AskOperation, operation: string, filter: object): AsyncGenerator<Row> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { ...filter, limit: PAGE, ...(cursor ? { cursor } : {}) };
    const page = (await ask(operation, { query })) as { data: Row[]; next_cursor: string | null };
    yield* page.data;
    cursor = page.next_cursor;
  }
}
