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
import { showPlan } from './showPlan.ts';
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
  const api = apiOf(await context.client(), context.signal);
  // The plan is let go before there is another one: with 100,000 links, each is some 100 MB.
  const outcome = await planAndApply(context, asked, api);
  if (!outcome.result) return tellInStep(context, outcome);
  tellFailures(context, outcome.result);
  tellSecrets(context, outcome.result, asked.secretsOut);
  if (outcome.result.stopped) return tellOutcome(context, outcome, null);
  const options = { ...asked.options, allowMany: true };
  return tellOutcome(context, outcome, await planFor({ ...asked, options }, api));
}

/** What a plan was, and what became of it; without a result there was nothing to do. */
interface Outcome extends Pick<Plan, 'stack' | 'counts' | 'digest'> {
  result: ApplyResult | null;
}

async function planFor({ stack, options, only = (whole) => whole }: Asked, api: CodeApi): Promise<Plan> {
  return only(await plan(stack, api, options, CODE_SCHEMA));
}

async function planAndApply(context: Context, asked: Asked, api: CodeApi): Promise<Outcome> {
  const planned = await planFor(asked, api);
  if (asked.digest !== null && planned.digest !== asked.digest) throw stale();
  if (!context.output.isJson) await showPlan(context, planned, {});
  const { stack, counts, digest } = planned;
  if (!hasChanges(planned)) return { stack, counts, digest, result: null };
  if (planned.guard !== null) throw new CliError('failed', 'too_many_changes', planned.guard);
  const resolveSecret = await readSecrets(planned, context);
  await confirm(context, planned, async () => {
    if ((await planFor(asked, api)).digest !== digest) throw stale();
  });
  const secretsFile = await openSecretsFile(asked.secretsOut);
  try {
    const result = await carryOut(context, planned, api, resolveSecret);
    await secretsFile?.write(result.secrets);
    return { stack, counts, digest, result };
  } finally {
    await secretsFile?.close();
  }
}

function stale(): CliError {
  const message = 'The files or the server have changed since the plan was made.';
  return new CliError('failed', 'plan_stale', message, 'Plan again, and look at what is new.');
}

async function tellInStep(context: Context, { stack, counts, digest }: Outcome): Promise<number> {
  const isInStep = counts.conflict === 0;
  if (context.output.isJson) {
    const shown = { stack, digest, counts, done: 0, failed: [], stopped: null, in_step: isInStep };
    await context.output.answer({ text: JSON.stringify(shown) });
  }
  if (!isInStep) return EXIT.failed;
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

/** `left` is the plan that was made afterwards; null when the server could not be asked. */
async function tellOutcome(
  { output }: Context,
  { stack, counts, digest, result }: Outcome,
  left: Plan | null,
): Promise<number> {
  const { done = 0, failed = [], stopped = null } = result ?? {};
  const isInStep = left !== null && !hasChanges(left) && left.counts.conflict === 0;
  if (output.isJson) {
    const shown = { stack, digest, counts, done, failed, stopped, in_step: isInStep };
    await output.answer({ text: JSON.stringify(shown) });
  } else if (isInStep) output.line(`Applied ${done}. In step: files and server are the same.`);
  else output.line(`Applied ${done}. Not in step yet${left ? `: ${summaryOf(left)}` : '; apply again to go on.'}`);
  if (isInStep && failed.length === 0) return EXIT.done;
  return done === 0 && (failed.length > 0 || stopped) ? EXIT.failed : EXIT.partly;
}
