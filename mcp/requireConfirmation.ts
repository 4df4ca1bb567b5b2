import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { type Confirmation, confirmationOf, digestOf, type Facts, signFacts, VALID_MINUTES } from './confirm.ts';
import type { Hazard } from './decideHazards.ts';
import { failedOf, partly } from './failedRows.ts';
import type { Asked, Json, Operation } from './parts.ts';
import { bound, cleaned, refuse, resultOf } from './results.ts';
import type { ToolCall } from './toolCall.ts';

/** What is confirmed. */
export interface Confirmed {
  asked: Asked;
  records: number;
  /** What it does, for a person who decides. */
  what: string;
  /** Why they decide. */
  hazards: readonly Hazard[];
}

/** The call ends here, with a result that is not an error: somebody is asked first. */
export class Interrupted extends Error {
  readonly result: CallToolResult | InputRequiredResult;

  constructor(result: CallToolResult | InputRequiredResult) {
    super('interrupted');
    this.result = result;
  }
}

/**
 * Returns when a person, or a second call with the code of the first, has confirmed exactly this. Throws what to show
 * otherwise, and at once the error of a change that would succeed in no part: nobody is asked about that. `operation`:
 * what can be rehearsed to know it; null: nothing.
 */
export async function requireConfirmation(
  call: ToolCall,
  change: Confirmed,
  operation: Operation | null,
): Promise<void> {
  const { confirm: code, ...asked } = call.args;
  const facts: Facts = { keyId: call.session.keyId, tool: call.tool.name, digest: digestOf(asked) };
  const { requestState, canAsk } = call.asking;
  if (requestState !== undefined) return useConfirmation(call, answeredByPerson(call, facts, requestState), change);
  if (code !== undefined && !canAsk && call.narrowing.confirm !== 'person') {
    const confirmation = confirmationOf(String(code), facts, call.parts.signingKeys(), call.parts.now());
    if (!confirmation) refuse('confirmation_invalid', 'The confirm code is of other arguments, or no longer valid.');
    return useConfirmation(call, confirmation, change);
  }
  const preview = await previewOf(call, change, operation);
  if (canAsk) throw new Interrupted(askPerson(call, change, facts));
  if (call.narrowing.confirm === 'person') {
    refuse(
      'confirmation_needed',
      `This must be confirmed by a person, and this program cannot ask one: ${textOf(change)}.`,
    );
  }
  throw new Interrupted(showWithCode(call, change, preview, facts));
}

/** What would happen. Throws its error where nothing would succeed. */
async function previewOf(call: ToolCall, { asked }: Confirmed, operation: Operation | null): Promise<Json> {
  if (!operation?.rehearses) return {};
  const preview = (await call.ask(operation.id, { ...asked, isDryRun: true })) ?? {};
  const failed = failedOf(preview);
  if (failed.length > 0 && failed.length === (preview.results as unknown[]).length) throw partly(preview, failed, null);
  return preview;
}

/** What was confirmed once is deleted or shown once: a message that is sent again must not delete what was made since. */
async function useConfirmation(
  call: ToolCall,
  { name, endsAtMs }: Confirmation,
  { hazards }: Confirmed,
): Promise<void> {
  if (!hazards.some(({ danger }) => danger === 'deletes' || danger === 'reveals')) return;
  if (await call.parts.claimOnce(`confirmed ${name}`, endsAtMs)) return;
  refuse('confirmation_invalid', 'This confirmation was used already.');
}

const QUESTION = 'confirmation';
/** Reasons of a change of many links are as many; a person reads the first. */
const MAX_WHYS = 10;

/** `Update a webhook: {…} (sends events to https://…)`: what a person decides about. */
function textOf({ what, hazards }: Confirmed): string {
  const whys = [...new Set(hazards.flatMap(({ why }) => why ?? []))];
  const shown = whys.length > MAX_WHYS ? [...whys.slice(0, MAX_WHYS), `and ${whys.length - MAX_WHYS} more`] : whys;
  return cleaned(shown.length > 0 ? `${what} (it ${shown.join('; ')})` : what);
}

function askPerson(call: ToolCall, change: Confirmed, facts: Facts): InputRequiredResult {
  const what = textOf(change);
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

function showWithCode(call: ToolCall, change: Confirmed, preview: Json, facts: Facts): CallToolResult {
  const shown = {
    needs_confirmation: true,
    would: textOf(change),
    records: change.records,
    ...(preview.counts ? { counts: preview.counts, failures: failedOf(preview).slice(0, 10) } : {}),
    confirm: signFacts(facts, call.parts.signingKeys(), call.parts.now()),
    valid_minutes: VALID_MINUTES,
    next: 'Nothing was changed. Show the person what would happen; only if they agree, repeat the same call with confirm.',
  };
  return resultOf(bound(shown, 'fewer at a time'), 'fewer at a time');
}
