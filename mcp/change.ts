import { decideHazards, type Hazard, linksToCompare, type PresentLink } from './decideHazards.ts';
import { failedOf, partly } from './failedRows.ts';
import type { Asked, Json, Operation, WriteBudget } from './parts.ts';
import { requireConfirmation } from './requireConfirmation.ts';
import { refuse, shownBudget, ToolRefusal } from './results.ts';
import type { ToolCall } from './toolCall.ts';
import { BULK } from './tools/arguments.ts';

/** A change that a tool is asked for. */
export interface Change {
  operation: string;
  asked: Asked;
  /** Records that it changes: what it costs of the write budget. */
  records: number;
  /** What it does, for a person who decides: `Delete 3 links for good: …`. */
  what: string;
  /** Whether it is rehearsed and nothing kept: by default where the call says so. */
  isRehearsal?: boolean;
  /** What speaks against it beyond what its operation and its fields say. */
  hazards?: Hazard[];
}

/** What a change answered, and what is left of the write budget; null after a rehearsal. */
export interface Changed {
  body: Json;
  budget: WriteBudget | null;
}

/**
 * Carries out a change: within the write budget, confirmed where it must be, and once for each idempotency key. With
 * `dry_run` it is rehearsed. Throws refusals, also for a change that was done in part; and `Interrupted`.
 */
export async function carryOut(call: ToolCall, change: Change): Promise<Changed> {
  const operation = call.operation(change.operation);
  if (change.isRehearsal ?? call.args.dry_run === true)
    return { body: await rehearsed(call, change, operation), budget: null };
  await requireBudget(call, change.records);
  const hazards = await hazardsOf(call, change, operation);
  if (hazards.length > 0) await requireConfirmation(call, { ...change, hazards }, operation);
  const { keyId } = call.session;
  const budget = await call.parts.budget.spend(keyId, change.records, call.narrowing.budget);
  if (!budget) return usedUp(await call.parts.budget.left(keyId, call.narrowing.budget), change.records);
  const answered = await call.tryOut(change.operation, { ...change.asked, idempotencyKey: idempotencyKeyOf(call) });
  const failed = answered.ok ? failedOf(answered.body) : [];
  const isUnchanged = answered.ok ? answered.isReplayed : !answered.refusal.isEffectUnknown;
  const unused = isUnchanged ? change.records : Math.min(failed.length, change.records);
  await call.parts.budget.giveBack(keyId, unused);
  if (!answered.ok) {
    throw new ToolRefusal(
      answered.refusal,
      answered.refusal.isEffectUnknown ? { state: 'whether it took effect is not known' } : {},
    );
  }
  const left = { ...budget, remaining: Math.min(budget.limit, budget.remaining + unused) };
  const body = (answered.body ?? {}) as Json;
  if (failed.length > 0) throw partly(body, failed, left);
  return { body, budget: left };
}

/** What every change adds to its result. */
export function endOf({ budget }: Changed): Json {
  if (budget) return { write_budget: shownBudget(budget) };
  return { dry_run: true, note: 'Nothing was kept. Ids are not real.' };
}

async function rehearsed(call: ToolCall, { asked, operation: id }: Change, operation: Operation): Promise<Json> {
  if (!operation.rehearses) {
    refuse('validation_failed', 'This cannot be rehearsed, because it reaches outside or starts a job.', {
      fields: [{ path: 'dry_run', message: 'Leave it out.' }],
    });
  }
  const { body } = await call.answer(id, { ...asked, isDryRun: true });
  const failed = failedOf(body);
  if (failed.length > 0) throw partly(body as Json, failed, null);
  return (body ?? {}) as Json;
}

/** Throws when fewer changes are left than these. */
export async function requireBudget(call: ToolCall, records: number): Promise<void> {
  const left = await call.parts.budget.left(call.session.keyId, call.narrowing.budget);
  if (records > left.remaining) usedUp(left, records);
}

function usedUp({ limit, remaining, resetSeconds }: WriteBudget, records: number): never {
  const when = resetSeconds > 0 ? ` The whole budget is back in ${Math.ceil(resetSeconds / 60)} minutes.` : '';
  refuse(
    'write_budget_used_up',
    `This changes ${records} records; ${remaining} of ${limit} are left in this hour.${when}`,
  );
}

/** Why a person decides about a change; an empty list: it needs nobody. */
async function hazardsOf(
  call: ToolCall,
  { asked, records, hazards = [] }: Change,
  operation: Operation,
): Promise<Hazard[]> {
  const isLarge = records > call.parts.confirmAbove();
  const nowMs = call.parts.now();
  const atWorst = decideHazards(operation, asked, { nowMs, links: [] });
  const named = atWorst.length > 0 && !isLarge ? linksToCompare(operation, asked) : [];
  const links = named.length > 0 && named.length <= BULK ? await presentLinks(call, named) : [];
  return [
    ...(links.length > 0 ? decideHazards(operation, asked, { nowMs, links }) : atWorst),
    ...hazards,
    ...(isLarge ? [{ danger: 'bulk' as const, why: `changes ${records} records` }] : []),
  ];
}

/** Links as they are. One that cannot be read is not known, and what is not known speaks against a change. */
async function presentLinks(call: ToolCall, names: string[]): Promise<(PresentLink | null | undefined)[]> {
  const links: (PresentLink | null | undefined)[] = [];
  for (const id of names) {
    const found = await call.tryOut('getLink', { path: { id } });
    const isMissing = !found.ok && found.refusal.code === 'not_found';
    links.push(found.ok ? (found.body as PresentLink) : isMissing ? null : undefined);
  }
  return links;
}

function idempotencyKeyOf(call: ToolCall): string | undefined {
  const key = call.text('idempotency_key');
  return key === undefined ? undefined : `${call.tool.name}:${key}`;
}
