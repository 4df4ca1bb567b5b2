import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { type Confirmation, confirmationOf, digestOf, type Facts, signFacts, VALID_MINUTES } from './confirm.ts';
import type { Asked, Json, Operation, WriteBudget } from './parts.ts';
import { bound, cleaned, refuse, resultOf, ToolRefusal } from './results.ts';
import type { ToolCall } from './toolCall.ts';

/** A change that a tool is asked for. */
export interface Change {
  operation: string;
  asked: Asked;
  /** Records that it changes: what it costs of the write budget. */
  records: number;
  /** Where it differs from that of the operation. */
  danger?: Operation['danger'];
  /** What it does, for a person who decides: `Delete 3 links for good: …`. */
  what: string;
  /** It sends so much that it is confirmed. */
  sendsMany?: boolean;
}

/** What a change answered, and what is left of the write budget; null after a rehearsal. */
export interface Changed {
  body: Json;
  budget: WriteBudget | null;
}

/** The call ends here, with a result that is no error: somebody is asked first. */
export class Interrupted extends Error {
  readonly result: CallToolResult | InputRequiredResult;

  constructor(result: CallToolResult | InputRequiredResult) {
    super('interrupted');
    this.result = result;
  }
}

/**
 * Carries out a change: within the write budget, confirmed where it must be, and once for each idempotency key. With
 * `dry_run` it is rehearsed. Throws refusals, also for a change that was done in part; and `Interrupted`.
 */
export async function carryOut(call: ToolCall, change: Change): Promise<Changed> {
  const operation = call.operation(change.operation);
  if (call.args.dry_run === true) return { body: await rehearsed(call, change, operation), budget: null };
  await requireBudget(call, change.records);
  if (mustBeConfirmed(call, change, operation)) await requireConfirmation(call, change, operation);
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

/** How a budget is told. */
export function shownBudget({ limit, remaining, resetSeconds }: WriteBudget): Json {
  return { remaining, limit, resets_in_minutes: Math.ceil(resetSeconds / 60) };
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

function mustBeConfirmed(call: ToolCall, { danger, records, sendsMany }: Change, operation: Operation): boolean {
  const its = danger === undefined ? operation.danger : danger;
  return its === 'deletes' || its === 'stops' || sendsMany === true || records > call.parts.confirmAbove();
}

/**
 * Returns when a person, or a second call with the code of the first, has confirmed exactly this. Throws what to show
 * otherwise. `operation`: what can be rehearsed to show it; null: nothing.
 */
export async function requireConfirmation(call: ToolCall, change: Change, operation: Operation | null): Promise<void> {
  const { confirm: code, ...asked } = call.args;
  const facts: Facts = { keyId: call.session.keyId, tool: call.tool.name, digest: digestOf(asked) };
  const { requestState, canAsk } = call.asking;
  if (requestState !== undefined)
    return useConfirmation(call, answeredByPerson(call, facts, requestState), change, operation);
  if (canAsk) throw new Interrupted(askPerson(call, change, facts));
  if (call.narrowing.confirm === 'person') {
    refuse(
      'confirmation_needed',
      `This must be confirmed by a person, and this program cannot ask one: ${change.what}.`,
    );
  }
  if (code === undefined) throw new Interrupted(await showWithCode(call, change, operation, facts));
  const confirmation = confirmationOf(String(code), facts, call.parts.signingKeys(), call.parts.now());
  if (!confirmation) refuse('confirmation_invalid', 'The confirm code is of other arguments, or no longer valid.');
  return useConfirmation(call, confirmation, change, operation);
}

/** What was confirmed once can be deleted once: a message that is sent again must not delete what was made since. */
async function useConfirmation(
  call: ToolCall,
  { name, endsAtMs }: Confirmation,
  change: Change,
  operation: Operation | null,
): Promise<void> {
  if ((change.danger ?? operation?.danger) !== 'deletes') return;
  if (await call.parts.claimOnce(`confirmed ${name}`, endsAtMs)) return;
  refuse('confirmation_invalid', 'This confirmation was used already.');
}

const QUESTION = 'confirmation';

function askPerson(call: ToolCall, { what }: Change, facts: Facts): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      [QUESTION]: inputRequired.elicit({
        message: `${what}?`,
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: 'Yes, do it', description: what, default: false } },
          required: ['confirm'],
        },
      }),
    },
    requestState: signFacts(facts, call.parts.signingKeys(), call.parts.now()),
  });
}

/** Throws a protocol error for a state that is not of this call: nobody was asked about it. */
function answeredByPerson(call: ToolCall, facts: Facts, requestState: string): Confirmation {
  const confirmation = confirmationOf(requestState, facts, call.parts.signingKeys(), call.parts.now());
  if (!confirmation) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState');
  const given = call.asking.responses?.[QUESTION] as { action?: string; content?: { confirm?: unknown } } | undefined;
  if (given?.action === 'accept' && given.content?.confirm === true) return confirmation;
  refuse('declined', given ? 'The person declined.' : 'No answer of a person came with the state.');
}

async function showWithCode(
  call: ToolCall,
  { what, records, asked, operation: id }: Change,
  operation: Operation | null,
  facts: Facts,
): Promise<CallToolResult> {
  const preview = operation?.rehearses ? ((await call.ask(id, { ...asked, isDryRun: true })) ?? {}) : {};
  const shown = {
    needs_confirmation: true,
    would: what,
    records,
    ...(preview.counts ? { counts: preview.counts, failures: failedOf(preview).slice(0, 10) } : {}),
    confirm: signFacts(facts, call.parts.signingKeys(), call.parts.now()),
    valid_minutes: VALID_MINUTES,
    next: 'Nothing was changed. Show the person what would happen; only if they agree, repeat the same call with confirm.',
  };
  return resultOf(bound(shown, 'fewer at a time'), 'fewer at a time');
}

interface FailedRow {
  index: number;
  code: string;
  message: string;
}

/** The rows of a bulk call that failed. */
function failedOf(body: unknown): FailedRow[] {
  const { results } = (body ?? {}) as {
    results?: {
      index: number;
      error?: { code: string; message: string; fields?: { path: string; message: string }[] } | null;
    }[];
  };
  if (!Array.isArray(results)) return [];
  return results.flatMap(({ index, error }) => {
    if (!error) return [];
    const fields = (error.fields ?? []).map(({ path, message }) => `${path}: ${message}`).join(' ');
    return [{ index, code: error.code, message: cleaned(fields || error.message) }];
  });
}

function partly(body: Json, failed: FailedRow[], budget: WriteBudget | null): ToolRefusal {
  const rows = body.results as unknown[];
  const done = rows.length - failed.length;
  const [first] = failed as [FailedRow];
  const state = budget
    ? `${done} of ${rows.length} were done; failed by position: ${listed(failed)}`
    : 'nothing was changed, this was a rehearsal';
  const message =
    failed.length === 1 ? first.message : `${failed.length} of ${rows.length} failed. The first: ${first.message}`;
  return new ToolRefusal(
    { code: first.code, message },
    {
      state,
      data: {
        counts: body.counts,
        failed,
        done: doneOf(body),
        ...(budget ? { write_budget: shownBudget(budget) } : {}),
      },
    },
  );
}

function listed(failed: FailedRow[]): string {
  const shown = failed.slice(0, 20).map(({ index }) => index);
  return failed.length > shown.length
    ? `${shown.join(', ')} and ${failed.length - shown.length} more`
    : shown.join(', ');
}

function doneOf({ results }: Json): Json[] {
  const rows = results as { index: number; error: unknown; link?: { id: string; short_url: string } | null }[];
  return rows.flatMap(({ index, error, link }) =>
    error ? [] : [{ index, ...(link ? { id: link.id, short_url: link.short_url } : {}) }],
  );
}

function idempotencyKeyOf(call: ToolCall): string | undefined {
  const key = call.text('idempotency_key');
  return key === undefined ? undefined : `${call.tool.name}:${key}`;
}
