import type { BulkResult, CodeApi } from './api.ts';
import { apply } from './apply.ts';
import type { Schema } from './checkSchema.ts';
import { plan } from './plan.ts';
import { readStack } from './readStack.ts';
import { renderText } from './render.ts';
import type { Fields, Plan, Problem, Row } from './types.ts';

/** What an operation is asked, and what it answers, where there is no HTTP between. */
export interface Asked {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  isDryRun?: boolean;
}

export type Answered =
  | { ok: true; body: unknown }
  | {
      ok: false;
      refusal: { code: string; message: string; fields?: readonly { path: string; message: string }[] | undefined };
    };

/** Carries out operations by their ids, with the rights of whoever asks. */
export interface Performer {
  perform(operation: string, asked: Asked): Promise<Answered>;
  progress?(done: number, total: number): void;
  signal?: AbortSignal;
}

/** A document that cannot be planned; every problem with its place. */
export class DocumentError extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super('The document is not valid.');
    this.problems = problems;
  }
}

/**
 * Links as code for programs that have documents and no files, such as the tools for assistants. Nothing is kept between a
 * plan and its application: the same document gives a plan with the same digest as long as nothing changed.
 */
export function engineOf(schema: Schema, server: () => string) {
  return {
    async plan(document: string, { prune }: { prune: boolean }, performer: Performer) {
      const read = readStack([{ name: 'document', text: document }], schema);
      if ('problems' in read)
        throw new DocumentError(read.problems.map((problem) => ({ ...problem, path: placeOf(problem) })));
      const made = await plan(read.stack, performedApi(performer), { prune: prune ? 'archive' : null }, schema);
      const { counts, digest } = made;
      const removals = counts.archive + counts.delete;
      const records = counts.create + counts.change + counts.move + counts.adopt + counts.release + removals;
      return {
        plan: made,
        records,
        removals,
        conflicts: counts.conflict,
        text: renderText(made, { server: server() }),
        digest,
      };
    },

    async apply(made: unknown, performer: Performer) {
      const resolveSecret = async () => {
        throw Object.assign(new Error('Passwords of links are applied by svc apply, which can read them.'), {
          code: 'secret_unavailable',
        });
      };
      const { progress: onProgress, signal } = performer;
      const { guard } = made as Plan;
      if (guard !== null) return { done: 0, failed: [{ name: 'the plan', message: `too_many_changes: ${guard}` }] };
      const result = await apply(made as Plan, performedApi(performer), {
        resolveSecret,
        ...(onProgress ? { onProgress: onProgress.bind(performer) } : {}),
        ...(signal ? { signal } : {}),
      });
      const { stopped } = result;
      const failed = result.failed.map(({ kind, name, code, message }) => ({
        name: `${kind} ${name}`,
        message: `${code}: ${message}`,
      }));
      return {
        done: result.done,
        failed: stopped ? [...failed, { name: 'the rest', message: `${stopped.code}: ${stopped.message}` }] : failed,
      };
    },
  };
}

function placeOf({ path, line, column }: Problem): string {
  return `${path || 'document'} (line ${line}, column ${column})`;
}

const IDS = {
  tag: { list: 'listTags', create: 'createTag', update: 'updateTag', remove: 'deleteTag' },
  domain: { list: 'listDomains', create: 'createDomain', update: 'updateDomain', remove: 'deleteDomain' },
  webhook: { list: 'listWebhooks', create: 'createWebhook', update: 'updateWebhook', remove: 'deleteWebhook' },
} as const;

function performedApi({ perform }: Performer): CodeApi {
  const ask = async <Body>(operation: string, asked: Asked = {}): Promise<Body> => {
    const answered = await perform(operation, asked);
    if (answered.ok) return answered.body as Body;
    throw Object.assign(new Error(answered.refusal.message), answered.refusal);
  };
  async function* pages(operation: string, filter: Fields): AsyncGenerator<Row> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { ...(filter as Record<string, string>), limit: '100', ...(cursor ? { cursor } : {}) };
      const page = await ask<{ data: Row[]; next_cursor: string | null }>(operation, { query });
      yield* page.data;
      cursor = page.next_cursor;
    }
  }
  const bulk = async (operation: string, body: Fields, isDryRun = false) =>
    (await ask<{ results: BulkResult[] }>(operation, { body, isDryRun })).results;
  return {
    maxLookups: 50,
    async project() {
      const { project } = await ask<{ project: { id: string; name: string; default_domain: string } }>('getCurrentKey');
      return { id: project.id, name: project.name, defaultDomain: project.default_domain };
    },
    exportLinks: (filter) => pages('listLinks', { ...filter }),
    async findLink(by) {
      try {
        return await ask<Row>('lookupLink', { query: { ...by } });
      } catch (error) {
        if ((error as { code?: unknown }).code === 'not_found') return null;
        throw error;
      }
    },
    countLinks: async (tag) => (await ask<{ count: number }>('countLinks', { query: { tag } })).count,
    async list(kind, filter) {
      const rows: Row[] = [];
      for await (const row of pages(IDS[kind].list, { ...filter })) rows.push(row);
      return rows;
    },
    create: (kind, body, { dryRun: isDryRun = false } = {}) => ask<Row>(IDS[kind].create, { body, isDryRun }),
    update: (kind, id, body, { dryRun: isDryRun = false } = {}) =>
      ask<Row>(IDS[kind].update, { path: { id }, body, isDryRun }),
    remove: (kind, id, { dryRun: isDryRun = false } = {}) => ask(IDS[kind].remove, { path: { id }, isDryRun }),
    turn: (id, to, { dryRun: isDryRun = false } = {}) =>
      ask(to === 'enable' ? 'enableWebhook' : 'disableWebhook', { path: { id }, isDryRun }),
    putLinks: (links, { dryRun } = {}) => bulk('bulkUpsertLinks', { links }, dryRun),
    patchLinks: (ids, set, { dryRun } = {}) => bulk('bulkUpdateLinks', { ids, set }, dryRun),
    removeLinks: (ids, { dryRun } = {}) => bulk('bulkDeleteLinks', { ids }, dryRun),
  };
}
