import { requireBudget } from './change.ts';
import type { CodePlan } from './codeEngine.ts';
import { decideHazards, type Hazard } from './decideHazards.ts';
import type { Json } from './parts.ts';
import { requireConfirmation } from './requireConfirmation.ts';
import { refuse, shownBudget } from './results.ts';
import type { ToolCall } from './toolCall.ts';

/** Applies a plan of links as code: within the write budget, and confirmed where one of its writes would be, or if it is large. */
export async function carryOutPlan(
  call: ToolCall,
  plan: CodePlan,
  progress: (done: number, total: number) => void,
): Promise<Json> {
  const { parts, session, narrowing, asking } = call;
  await requireBudget(call, plan.records);
  const hazards = planHazards(call, plan);
  const what = `Apply a plan that changes ${plan.records} records and takes ${plan.removals} out of service`;
  if (hazards.length > 0) await requireConfirmation(call, { asked: {}, records: plan.records, what, hazards }, null);
  const budget = await parts.budget.spend(session.keyId, plan.records, narrowing.budget);
  if (!budget) refuse('write_budget_used_up', 'Other changes used up the write budget meanwhile.');
  if (!parts.code) throw new Error('There is no engine of links as code');
  const perform = call.tryOut.bind(call);
  const { done, failed } = await parts.code.apply(plan.plan, { perform, progress, signal: asking.signal });
  const unused = Math.max(0, plan.records - done);
  await parts.budget.giveBack(session.keyId, unused);
  return {
    done,
    failed: failed.slice(0, 50),
    write_budget: shownBudget({ ...budget, remaining: budget.remaining + unused }),
  };
}

/** Why a person decides about a plan: the hazards of each of its writes, as if each were asked for alone. */
function planHazards({ parts }: ToolCall, { plan, records }: CodePlan): Hazard[] {
  const facts = { nowMs: parts.now(), links: [] };
  const hazards = (parts.code?.writes(plan) ?? []).flatMap(({ operation, body }) => {
    const row = parts.api.operations.find(({ id }) => id === operation);
    // Secrets of new webhooks stay on the server: a plan shows none.
    return row ? decideHazards(row, { body }, facts).filter(({ danger }) => danger !== 'reveals') : [];
  });
  return records > parts.confirmAbove() ? [...hazards, { danger: 'bulk', why: null }] : hazards;
}
