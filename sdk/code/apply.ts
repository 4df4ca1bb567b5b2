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

interface Refusal {
  code: string;
  message: string;
}

/** An action that was not carried out. */
export interface Failure extends Refusal {
  kind: Kind;
  name: string;
  verb: Verb;
}

export interface ApplyResult {
  done: number;
  failed: Failure[];
  /** Of new webhooks; the server tells them once. */
  secrets: { name: string; id: string; secret: string }[];
  /** Why the rest was not tried; null when all was. */
  stopped: Refusal | null;
}

/** Whatever comes next would be refused as well. */
const FATAL = new Set([
  ...['missing_key', 'invalid_key', 'team_read_only', 'rate_limited', 'cancelled'],
  ...['connection_refused', 'connection_failed', 'timeout', 'bad_response'],
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
  /** Kinds that the key may not write: not one request for each of a thousand links. */
  private readonly withoutScope = new Map<Kind, Refusal>();
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

  /** Carries out one action. */
  async one(action: Action, act: () => Promise<unknown>): Promise<void> {
    await this.many([action], async () => {
      await act();
      return [];
    });
  }

  /** Carries out several actions in one call; those without an error in the results are done. */
  async many(actions: Action[], act: () => Promise<BulkResult[]>): Promise<void> {
    const errors = new Map<number, BulkResult['error']>();
    const isAccepted = await this.refusable(actions, async () => {
      for (const { index, error } of await act()) if (error) errors.set(index, error);
    });
    if (!isAccepted) return;
    actions.forEach((action, at) => {
      const error = errors.get(at);
      if (error) this.fail(action, { code: error.code, message: messageOf(error) });
      else this.result.done += 1;
    });
    this.tell();
  }

  /** A refusal is recorded for the actions, unless all others would meet it too. Returns whether there was none. */
  async refusable(actions: Action | Action[], act: () => Promise<unknown>): Promise<boolean> {
    this.options.signal?.throwIfAborted();
    const all = [actions].flat();
    const kind = all[0]?.kind ?? 'link';
    let refusal = this.withoutScope.get(kind);
    try {
      if (!refusal) {
        await act();
        return true;
      }
    } catch (error) {
      refusal = refusalOf(error);
      if (FATAL.has(refusal.code)) throw error;
      if (refusal.code === 'insufficient_scope') this.withoutScope.set(kind, refusal);
    }
    for (const action of all) this.fail(action, refusal);
    this.tell();
    return false;
  }

  private fail({ kind, name, verb }: Action, refusal: Refusal): void {
    this.result.failed.push({ kind, name, verb, ...refusal });
  }

  private tell(): void {
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
export function bodyOf({ set, changes, verb }: Action): Fields {
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
  const { scope, ...rest } = body;
  if (!isPlain(scope)) return body;
  // Its tag or link may be new, and a rehearsal has kept none.
  if (run.options.dryRun) return rest;
  const named =
    typeof scope.tag === 'string' ? { tag_id: await run.tagId(scope.tag) } : { link_id: `ext_${scope.link}` };
  return { ...rest, scope: named };
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

function refusalOf(error: unknown): Refusal {
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
