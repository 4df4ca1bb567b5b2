import type { PlanOptions } from '../../sdk/code/index.ts';
import type { OptionRow } from '../defineCommand.ts';

/** The flags that say what a plan may do. */
export const PLAN_OPTIONS: OptionRow[] = [
  [
    '--prune [how]',
    'take what is no longer in the file out of service: archive links (the default), or delete them',
    { choices: ['archive', 'delete'] },
  ],
  ['--adopt', 'take over what nobody manages and has the name or the address of something in the file'],
  ['--from-stack <name>', 'take over what this stack manages: the stack gets another name'],
  ['--update-secrets', 'write passwords anew: nobody can tell whether they differ'],
  ['--allow-many', 'permit changes of more than 30 % of what the stack owns'],
];

/** The options that these flags mean. */
export function planOptionsOf(flags: Record<string, unknown>): PlanOptions {
  return {
    prune: flags.prune === undefined ? null : flags.prune === 'delete' ? 'delete' : 'archive',
    adopt: flags.adopt === true,
    fromStack: (flags.fromStack as string | undefined) ?? null,
    updateSecrets: flags.updateSecrets === true,
    allowMany: flags.allowMany === true,
  };
}
