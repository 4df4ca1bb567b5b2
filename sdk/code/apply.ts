import type { BulkResult, CodeApi } from './api.ts';
import { applyLinks } from './applyLinks.ts';
import { isPlain } from './compare.ts';
import { tagKey } from './sections.ts';
import type { Action, Fields, Kind, Plan, SecretReference, Verb } from './types.ts';

export interface ApplyOptions {
  /** Reads the value of a secret that the files point to. */
  resolveSecret(reference: SecretReference): Promise<string>;
  /** Told after each call how many actions are behind it, failed ones included. */
  onProgress?(done: number, total: number): void;
  signal?: AbortSignal;
  /** Asks the server what would happen, and keeps nothing. */
  dryRun?: boolean;
}

/** An action that was not carried out. */
export interface Failure {
  kind: Kind;
  name: string;
  verb: Verb;
  code: string;
  message: string;
}

export interface ApplyResult {
  done: number;
  failed: Failure[];
  /** Of new webhooks; the server tells them once. */
  secrets: { name: string; id: string; secret: string }[];
  /** Why the rest was not tried; null when all was. */
  stopped: { code: string; message: string } | null;
}

/** Whatever comes next would be refused as well. */
const FATAL = new Set([
  'missing_api_key',
  'invalid_api_key',
  'team_read_only',
  'rate_limited',
  'connection_refused',
  'connection_failed',
  'timeout',
  'bad_response',
]);

/**
 * Carries out a plan: tags, domains, links, webhooks, and at last what is pruned. Every step may be repeated: names, hosts
 * and external ids are unique, so that a run that died goes on with the next plan and makes nothing twice. What is refused
 * is told by name and does not stop others. Throws for a plan that its guard holds back.
 */
export async function apply(plan: Plan, api: CodeApi, options: ApplyOptions): Promise<ApplyResult> {
  if (plan.guard !== null) throw new Error(plan.guard);
  const run = new Run(plan, api, options);
  try {
    await applyKind(run, 'tag');
    await applyKind(run, 'domain');
    await applyLinks(run);
    await applyKind(run, 'webhook');
    await prune(run);
  } catch (error) {
    options.signal?.throwIfAborted();
    run.result.stopped = refusalOf(error);
  }
  return run.result;
}

/** What the steps share. */
export class Run {
  readonly api: CodeApi;
  readonly options: ApplyOptions;
  readonly rehearsal: { dryRun?: boolean };
  readonly result: ApplyResult = { done: 0, failed: [], secrets: [], stopped: null };
  private readonly actions: Action[];
  private tagIds: Map<string, string> | null = null;

  constructor(plan: Plan, api: CodeApi, options: ApplyOptions) {
    this.api = api;
    this.options = options;
    this.rehearsal = options.dryRun ? { dryRun: true } : {};
    this.actions = plan.actions.filter(({ verb }) => verb !== 'conflict');
  }

  of(kind: Kind, ...verbs: Verb[]): Action[] {
    return this.actions.filter((action) => action.kind === kind && verbs.includes(action.verb));
  }

  /** Carries out one action. A refusal is recorded, unless it is of the kind that all others would meet too. */
  async one(action: Action, act: () => Promise<unknown>): Promise<void> {
    await this.many([action], async () => {
      await act();
      return [];
    });
  }

  /** Carries out several actions in one call; results without an error are done. */
  async many(actions: Action[], act: () => Promise<BulkResult[]>): Promise<void> {
    this.options.signal?.throwIfAborted();
    const refusals = new Map<number, { code: string; message: string }>();
    try {
      for (const { index, error } of await act())
        if (error) refusals.set(index, { code: error.code, message: messageOf(error) });
    } catch (error) {
      const refusal = refusalOf(error);
      if (FATAL.has(refusal.code)) throw error;
      actions.forEach((_, at) => {
        refusals.set(at, refusal);
      });
    }
    actions.forEach(({ kind, name, verb }, at) => {
      const refusal = refusals.get(at);
      if (refusal) this.result.failed.push({ kind, name, verb, ...refusal });
      else this.result.done += 1;
    });
    this.options.onProgress?.(this.result.done + this.result.failed.length, this.actions.length);
  }

  /** The id of a tag, which may have been made by a link a moment ago. */
  async tagId(key: string): Promise<string> {
    this.tagIds ??= new Map((await this.api.list('tag')).map(({ id, name }) => [tagKey(String(name)), id]));
    const id = this.tagIds.get(key);
    if (id) return id;
    throw Object.assign(new Error(`There is no tag "${key}": declare it under tags, or use it on a link.`), {
      code: 'not_found',
    });
  }
}

/** Names, identity and owner are sent always; of the rest what differs. */
function bodyOf({ set, changes, verb }: Action): Fields {
  if (verb === 'create') return set;
  const { managed_by, external_id } = set;
  const differing = Object.fromEntries(changes.map(({ field }) => [field, set[field]]));
  return { ...differing, managed_by, ...(external_id === undefined ? {} : { external_id }) };
}

async function applyKind(run: Run, kind: 'tag' | 'domain' | 'webhook'): Promise<void> {
  for (const action of run.of(kind, 'create', 'change', 'adopt', 'move'))
    await run.one(action, () => applyOne(run, kind, action));
}

async function applyOne(run: Run, kind: 'tag' | 'domain' | 'webhook', action: Action): Promise<void> {
  const { enabled, ...fields } = bodyOf(action);
  const body = await withScope(run, fields);
  if (action.verb === 'create') {
    const made = await run.api.create(kind, body, run.rehearsal);
    if (typeof made.secret === 'string' && !run.options.dryRun)
      run.result.secrets.push({ name: action.name, id: made.id, secret: made.secret });
    return;
  }
  await run.api.update(kind, action.id as string, body, run.rehearsal);
  if (enabled === true) await run.api.turn(action.id as string, 'enable', run.rehearsal);
}

async function withScope(run: Run, body: Fields): Promise<Fields> {
  const { scope } = body;
  if (!isPlain(scope)) return body;
  const named =
    typeof scope.tag === 'string' ? { tag_id: await run.tagId(scope.tag) } : { link_id: `ext_${scope.link}` };
  return { ...body, scope: named };
}

/** As many as a bulk call takes. */
const BATCH = 1000;

async function prune(run: Run): Promise<void> {
  for (const batch of batchesOf(run.of('link', 'archive')))
    await run.many(batch, () => run.api.patchLinks(idsOf(batch), { archived: true }, run.rehearsal));
  for (const batch of batchesOf(run.of('link', 'delete')))
    await run.many(batch, () => run.api.removeLinks(idsOf(batch), run.rehearsal));
  for (const action of run.of('webhook', 'archive'))
    await run.one(action, () => run.api.turn(action.id as string, 'disable', run.rehearsal));
  for (const kind of ['webhook', 'tag'] as const) {
    for (const action of run.of(kind, 'delete'))
      await run.one(action, () => run.api.remove(kind, action.id as string, run.rehearsal));
  }
  for (const kind of ['tag', 'domain'] as const) {
    for (const action of run.of(kind, 'release'))
      await run.one(action, () => run.api.update(kind, action.id as string, { managed_by: null }, run.rehearsal));
  }
}

function* batchesOf(actions: Action[]): Generator<Action[]> {
  for (let at = 0; at < actions.length; at += BATCH) yield actions.slice(at, at + BATCH);
}

function idsOf(actions: Action[]): string[] {
  return actions.map(({ id }) => id as string);
}

function refusalOf(error: unknown): { code: string; message: string } {
  const { code, message, fields } = error as { code?: unknown; message?: unknown; fields?: BulkFields };
  if (typeof code !== 'string') throw error;
  return { code, message: messageOf({ message: String(message), fields }) };
}

type BulkFields = { path: string; message: string }[];

/** The sentence of a refusal; where fields are at fault, theirs. */
function messageOf({ message, fields }: { message: string; fields?: BulkFields | undefined }): string {
  if (!fields?.length) return message;
  return fields.map(({ path, message: text }) => `${path}: ${text}`).join(' ');
}
