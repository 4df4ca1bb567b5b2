import type { CodeApi } from './api.ts';
import { apply } from './apply.ts';
import type { Schema } from './checkSchema.ts';
import { type AskOperation, operationApi, pagesOf } from './operationApi.ts';
import { plan } from './plan.ts';
import { readStack } from './readStack.ts';
import { renderText } from './render.ts';
import type { Plan, Problem } from './types.ts';
import { type PlannedWrite, writesOf } from './writesOf.ts';

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
    async plan(document: string, { prune, adopt = false }: { prune: boolean; adopt?: boolean }, performer: Performer) {
      const read = readStack([{ name: 'document', text: document }], schema);
      if ('problems' in read)
        throw new DocumentError(read.problems.map((problem) => ({ ...problem, path: placeOf(problem) })));
      const made = await plan(read.stack, performedApi(performer), { prune: prune ? 'archive' : null, adopt }, schema);
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

    /** What applying the plan would ask the server, so that somebody can decide about it. */
    writes: (made: unknown): PlannedWrite[] => writesOf(made as Plan),

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

/** There are no exports; beyond so many look-ups, lists are shorter. */
const MAX_LOOKUPS = 50;

function performedApi({ perform }: Performer): CodeApi {
  const ask: AskOperation = async (operation, { variables, query, body, dryRun }) => {
    const answered = await perform(operation, {
      ...(variables ? { path: variables } : {}),
      ...(query ? { query } : {}),
      ...(body ? { body } : {}),
      ...(dryRun ? { isDryRun: true } : {}),
    });
    if (answered.ok) return answered.body;
    throw Object.assign(new Error(answered.refusal.message), answered.refusal);
  };
  return operationApi({ ask, maxLookups: MAX_LOOKUPS, exportLinks: (filter) => pagesOf(ask, 'listLinks', filter) });
}
