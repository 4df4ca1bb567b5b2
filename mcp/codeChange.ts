import { type Change, requireBudget, requireConfirmation, shownBudget } from './change.ts';
import type { CodePlan } from './codeEngine.ts';
import type { Json } from './parts.ts';
import { refuse } from './results.ts';
import type { ToolCall } from './toolCall.ts';

/** Applies a plan of links as code: within the write budget, and confirmed when it takes links out of service or is large. */
export async function carryOutPlan(
  call: ToolCall,
  plan: CodePlan,
  progress: (done: number, total: number) => void,
): Promise<Json> {
  const { parts, session, narrowing, asking } = call;
  await requireBudget(call, plan.records);
  const change: Change = {
    operation: 'bulkUpdateLinks',
    asked: {},
    records: plan.records,
    danger: plan.removals > 0 ? 'stops' : null,
    what: `Apply a plan that changes ${plan.records} records and takes ${plan.removals} out of service`,
  };
  if (plan.removals > 0 || plan.records > parts.confirmAbove()) await requireConfirmation(call, change, null);
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
