import { apply, type CodeApi, type Plan } from '../../sdk/code/index.ts';
import type { Context } from '../context.ts';
import { tellFailures } from './tellFailures.ts';

/** Lets the server try every change of a plan without keeping it. Returns whether it refused any. */
export async function rehearse(context: Context, plan: Plan, api: CodeApi): Promise<boolean> {
  const progress = context.output.progress('Checking');
  const result = await apply({ ...plan, guard: null }, api, {
    // Any password will do where nothing is kept.
    resolveSecret: async () => 'only rehearsed',
    onProgress: (done, total) => progress.update(done / total, `${done} of ${total}`),
    signal: context.signal,
    dryRun: true,
  }).finally(() => progress.stop());
  tellFailures(context, result);
  if (result.failed.length === 0 && !result.stopped)
    context.output.note('Checked: the server would accept every change.');
  return result.failed.length > 0 || result.stopped !== null;
}
