import {
  type ApplyResult,
  apiOf,
  apply,
  CODE_SCHEMA,
  type CodeApi,
  hasChanges,
  type Plan,
  type PlanOptions,
  plan,
  type Stack,
  summaryOf,
} from '../../sdk/code/index.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { EXIT } from '../exitCodes.ts';
import { openSecretsFile, readSecrets } from './secrets.ts';
import { planJson, showPlan } from './showPlan.ts';
import { tellFailures } from './tellFailures.ts';

interface Asked {
  stack: Stack;
  options: PlanOptions;
  /** Of the plan that was agreed on; null when none was kept. */
  digest: string | null;
  secretsOut?: string | undefined;
  /** Which actions are carried out; all by default. */
  only?: ((plan: Plan) => Plan) | undefined;
}

/** Plans, shows, asks, applies, and plans once more. Returns the exit code. */
export async function applyStack(context: Context, asked: Asked): Promise<number> {
  const { stack, options, digest, only = (whole: Plan) => whole } = asked;
  const api = apiOf(await context.client(), context.signal);
  const planned = only(await plan(stack, api, options, CODE_SCHEMA));
  if (digest !== null && planned.digest !== digest) throw stale();
  if (!context.output.isJson) await showPlan(context, planned, {});
  if (!hasChanges(planned)) return withoutChanges(context, planned);
  if (planned.guard !== null) throw new CliError('failed', 'too_many_changes', planned.guard);
  const resolveSecret = await readSecrets(planned, context);
  await confirm(context, planned, async () => {
    const again = only(await plan(stack, api, options, CODE_SCHEMA));
    if (again.digest !== planned.digest) throw stale();
  });
  const secretsFile = await openSecretsFile(asked.secretsOut);
  try {
    const result = await carryOut(context, planned, api, resolveSecret);
    await secretsFile?.write(result.secrets);
    tellSecrets(context, result, asked.secretsOut);
    const left = only(await plan(stack, api, { ...options, allowMany: true }, CODE_SCHEMA));
    return await tellOutcome(context, planned, result, left);
  } finally {
    await secretsFile?.close();
  }
}

function stale(): CliError {
  const message = 'The files or the server have changed since the plan was made.';
  return new CliError('failed', 'plan_stale', message, 'Plan again, and look at what is new.');
}

async function withoutChanges(context: Context, planned: Plan): Promise<number> {
  if (context.output.isJson) {
    const text = JSON.stringify({
      plan: planJson(planned),
      done: 0,
      failed: [],
      in_step: planned.counts.conflict === 0,
    });
    await context.output.answer({ text });
  }
  if (planned.counts.conflict > 0) return EXIT.failed;
  context.output.note('In step: there is nothing to do.');
  return EXIT.done;
}

/** A person takes time to read; what they agreed to must still be so. */
async function confirm(context: Context, planned: Plan, check: () => Promise<void>): Promise<void> {
  if (context.flags.yes) return;
  await context.confirm(summaryOf(planned).replace('Plan:', 'This is'));
  await check();
}

async function carryOut(
  { output, signal }: Context,
  planned: Plan,
  api: CodeApi,
  resolveSecret: Awaited<ReturnType<typeof readSecrets>>,
): Promise<ApplyResult> {
  const progress = output.progress('Applying');
  let done = 0;
  try {
    return await apply(planned, api, {
      resolveSecret,
      signal,
      onProgress(count, total) {
        done = count;
        progress.update(count / total, `${count} of ${total}`);
      },
    });
  } catch (error) {
    progress.stop();
    if (signal.aborted)
      output.problem(`Interrupted after ${done} of ${planned.actions.length} actions; apply again to go on.`);
    throw error;
  } finally {
    progress.stop();
  }
}

function tellSecrets({ output }: Context, { secrets }: ApplyResult, to: string | undefined): void {
  if (secrets.length === 0) return;
  if (to !== undefined) output.note(`Wrote the secrets of ${secrets.length} new webhooks to ${to}.`);
  else
    for (const { name, id } of secrets)
      output.note(`Webhook ${name} signs with a secret of its own: svc webhooks secret ${id}`);
}

async function tellOutcome(context: Context, planned: Plan, result: ApplyResult, left: Plan): Promise<number> {
  const { done, failed, stopped } = result;
  tellFailures(context, result);
  const isInStep = !hasChanges(left) && left.counts.conflict === 0;
  if (context.output.isJson) {
    const shown = { plan: planJson(planned), done, failed, stopped, in_step: isInStep };
    await context.output.answer({ text: JSON.stringify(shown) });
  } else if (isInStep) context.output.line(`Applied ${done}. In step: files and server are the same.`);
  else context.output.line(`Applied ${done}. Not in step yet: ${summaryOf(left)}`);
  if (isInStep && failed.length === 0) return EXIT.done;
  return done === 0 && (failed.length > 0 || stopped) ? EXIT.failed : EXIT.partly;
}
