import type { Plan } from '../../sdk/code/index.ts';
import { applyStack } from '../code/applyStack.ts';
import { FILE_OPTION, readStackOf } from '../code/readFiles.ts';
import { defineCommand } from '../defineCommand.ts';
import { EXIT } from '../exitCodes.ts';

export const command = defineCommand({
  options: [FILE_OPTION],
  details:
    'Takes over what the files name and nobody manages, such as what svc code export wrote: from then on svc plan and svc apply ' +
    'look after it. Nothing else of the files is applied.',
  examples: ['code adopt -f links.yaml'],
  async run(context, { flags }) {
    const stack = await readStackOf(context, flags.file);
    if (!stack) return EXIT.failed;
    return applyStack(context, { stack, options: { adopt: true, allowMany: true }, digest: null, only: adoptions });
  },
});

function adoptions(plan: Plan): Plan {
  const actions = plan.actions.filter(({ verb }) => verb === 'adopt' || verb === 'conflict');
  const { adopt, conflict, unchanged } = plan.counts;
  const none = { create: 0, change: 0, move: 0, archive: 0, delete: 0, release: 0, kept: 0 };
  return { ...plan, actions, counts: { ...none, adopt, conflict, unchanged }, guard: null };
}
