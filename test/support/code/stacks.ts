import type { CodeApi } from '../../../sdk/code/api.ts';
import { apply } from '../../../sdk/code/apply.ts';
import { plan } from '../../../sdk/code/plan.ts';
import { readStack } from '../../../sdk/code/readStack.ts';
import { CODE_SCHEMA } from '../../../sdk/code/schema.ts';
import type { Plan, PlanOptions, Stack } from '../../../sdk/code/types.ts';

/** The stack of these texts, which must be valid. */
export function stackOf(...texts: string[]): Stack {
  const read = readStack(
    texts.map((text, at) => ({ name: `${at + 1}.yaml`, text })),
    CODE_SCHEMA,
  );
  if ('problems' in read)
    throw new Error(
      read.problems.map(({ file, line, path, message }) => `${file}:${line} ${path}: ${message}`).join('\n'),
    );
  return read.stack;
}

export function planOf(stack: Stack, api: CodeApi, options: PlanOptions = {}): Promise<Plan> {
  return plan(stack, api, options, CODE_SCHEMA);
}

/** Plans and applies; whatever fails is an error. */
export async function applied(stack: Stack, api: CodeApi, options: PlanOptions = {}): Promise<Plan> {
  const made = await planOf(stack, api, { allowMany: true, ...options });
  const result = await apply(made, api, { resolveSecret: async () => 'correct horse' });
  if (result.failed.length > 0 || result.stopped) throw new Error(JSON.stringify(result));
  return made;
}

/** The actions in short: `create link spring`. */
export function briefly({ actions }: Plan): string[] {
  return actions.map(({ verb, kind, name }) => `${verb} ${kind} ${name}`);
}
