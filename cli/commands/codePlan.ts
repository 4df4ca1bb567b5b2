import { PLAN_OPTIONS, planOptionsOf } from '../code/planOptions.ts';
import { FILE_OPTION, readStackOf } from '../code/readFiles.ts';
import { showPlan } from '../code/showPlan.ts';
import { defineCommand } from '../defineCommand.ts';
import { EXIT } from '../exitCodes.ts';

export const command = defineCommand({
  options: [
    FILE_OPTION,
    ...PLAN_OPTIONS,
    ['-o, --out <file>', 'keep the plan: svc apply <file> does this and nothing else'],
    ['--check', 'also let the server try each change, and keep nothing'],
    ['--drift', 'say when the server last changed what differs'],
    ['--format <name>', 'text, or markdown for a comment on a pull request', { choices: ['text', 'markdown'] }],
    ['--detailed-exitcode <boolean>', 'false: end with 0 also where there are changes', { choices: ['true', 'false'] }],
  ],
  details:
    'Compares files with the project of the key, and says what svc apply would do. Nothing is written. Ends with 0 when there is ' +
    'nothing to do, with 2 when there are changes, and with 1 for conflicts and errors.',
  examples: ['plan', 'plan -f links/ --prune', 'plan -o plan.json --format markdown > comment.md'],
  async run(context, { flags }) {
    const stack = await readStackOf(context, flags.file);
    if (!stack) return EXIT.failed;
    const code = await import('../../sdk/code/index.ts');
    const api = code.apiOf(await context.client(), context.signal);
    const options = planOptionsOf(flags);
    const plan = await code.plan(stack, api, options, code.CODE_SCHEMA);
    await showPlan(context, plan, { format: flags.format, withTimes: flags.drift === true });
    if (flags.out) {
      const { writePlanFile } = await import('../code/planFile.ts');
      await writePlanFile(flags.out, plan, stack, options);
      context.output.note(`Wrote ${flags.out}.`);
    }
    const isRefused = flags.check === true && (await isRefusedByServer());
    if (isRefused || plan.counts.conflict > 0) return EXIT.failed;
    return code.hasChanges(plan) && flags.detailedExitcode !== 'false' ? EXIT.changes : EXIT.done;

    async function isRefusedByServer(): Promise<boolean> {
      const { rehearse } = await import('../code/rehearse.ts');
      return rehearse(context, plan, api);
    }
  },
});
