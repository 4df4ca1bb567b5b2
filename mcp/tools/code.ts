import { carryOutPlan } from '../codeChange.ts';
import type { CodeClient, CodePlan } from '../codeEngine.ts';
import { confirmationOf, digestOf, signFacts } from '../confirm.ts';
import type { Refusal } from '../parts.ts';
import { refuse } from '../results.ts';
import type { Tool } from '../tool.ts';
import type { ToolCall } from '../toolCall.ts';
import { REPEATED } from './arguments.ts';

/** How long a plan may be applied. */
const PLAN_MS = 900_000;
const DOCUMENT = { type: 'string', maxLength: 256 * 1024, description: 'YAML or JSON; get_docs topic links-as-code' };
const ADOPT = { type: 'boolean', description: 'Take over what nobody manages, as it is' };
const PRUNE = { type: 'boolean', description: 'Archive links of the stack that the document no longer has' };

/** Links as code. Nothing is kept between the calls: the second brings the document again, and the code of its plan. */
export const CODE_TOOLS: Tool[] = [
  {
    name: 'plan_changes',
    toolset: 'code',
    description:
      'Compares a links-as-code document with the project and says what apply_plan would change. Changes nothing.',
    operations: ['listLinks'],
    does: 'reads',
    arguments: { document: DOCUMENT, prune: PRUNE, adopt: ADOPT },
    required: ['document'],
    async run(call) {
      const plan = await planOf(call);
      const code = signFacts(factsOf(call, plan), call.parts.signingKeys(), call.parts.now(), PLAN_MS);
      const { records, removals, conflicts, text } = plan;
      return { value: { records, removals, conflicts, plan: code, valid_minutes: PLAN_MS / 60_000, text } };
    },
  },
  {
    name: 'apply_plan',
    toolset: 'code',
    description: 'Carries out a plan of plan_changes: the same arguments, and its code.',
    operations: ['createLink'],
    does: 'destroys',
    arguments: {
      document: DOCUMENT,
      prune: PRUNE,
      adopt: ADOPT,
      plan: { type: 'string', description: 'The code that plan_changes gave' },
      confirm: REPEATED,
    },
    required: ['document', 'plan'],
    async run(call) {
      const plan = await planOf(call);
      const isCurrent = confirmationOf(
        String(call.args.plan),
        factsOf(call, plan),
        call.parts.signingKeys(),
        call.parts.now(),
      );
      if (!isCurrent)
        refuse('plan_stale', 'The project or the document changed since the plan, or the plan is too old.');
      return { value: await carryOutPlan(call, plan, (done, total) => call.asking.progress(done, total)) };
    },
  },
];

async function planOf(call: ToolCall): Promise<CodePlan> {
  const { document, ...options } = call.args as { document: string; prune?: boolean; adopt?: boolean };
  const { prune = false, adopt = false } = options;
  const { teamId } = call.session;
  try {
    // biome-ignore lint/style/noNonNullAssertion: without the engine these tools do not exist
    return await call.parts.code!.plan(document, { prune, adopt, teamId }, clientOf(call));
  } catch (error) {
    const { code, message, problems, ...more } = error as Partial<Refusal> & Error & { problems?: Refusal['fields'] };
    if (problems) refuse('validation_failed', message, { fields: problems });
    // What is refused has the code of an operation; everything else is masked.
    if (code === undefined || !Object.hasOwn(call.parts.api.errors, code)) throw error;
    refuse(code, message, { fields: more.fields, retryAfterSeconds: more.retryAfterSeconds });
  }
}

/** The engine's way to the API: the same rights and quotas as every tool. */
export function clientOf(call: ToolCall): CodeClient {
  return { perform: (operation, asked) => call.tryOut(operation, asked), signal: call.asking.signal };
}

function factsOf(call: ToolCall, plan: CodePlan) {
  const { document, prune = false, adopt = false } = call.args;
  return { keyId: call.session.keyId, tool: 'apply_plan', digest: digestOf([plan.digest, document, prune, adopt]) };
}
