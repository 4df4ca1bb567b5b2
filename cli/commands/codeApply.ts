import { applyStack } from '../code/applyStack.ts';
import { PLAN_OPTIONS, planOptionsOf } from '../code/planOptions.ts';
import { FILE_OPTION, readStackOf } from '../code/readFiles.ts';
import { defineCommand } from '../defineCommand.ts';
import { CliError, usageError } from '../errors.ts';
import { EXIT } from '../exitCodes.ts';

export const command = defineCommand({
  args: [['[plan]', 'a plan that svc plan -o wrote']],
  options: [
    FILE_OPTION,
    ...PLAN_OPTIONS,
    ['--secrets-out <file>', 'where the signing secrets of new webhooks are kept, readable for you alone'],
  ],
  details:
    'Plans anew, shows the plan, asks, carries it out and plans once more: then there is nothing left to do. A plan file is ' +
    'refused (plan_stale) when files or server have changed since. What fails stops nothing else, and ends with 3.',
  examples: ['apply', 'apply -f links/ --prune --yes', 'apply plan.json --yes'],
  async run(context, { args: [planFile], flags }) {
    if (planFile === undefined) {
      const stack = await readStackOf(context, flags.file);
      if (!stack) return EXIT.failed;
      return applyStack(context, { stack, options: planOptionsOf(flags), digest: null, secretsOut: flags.secretsOut });
    }
    if (flags.file) throw usageError('A plan has its files already: leave -f out.');
    const { readPlanFile } = await import('../code/planFile.ts');
    const { stack, options, digest, plan } = await readPlanFile(planFile);
    const { project } = await context.json<{ project: { id: string; name: string } }>('getCurrentKey');
    if (project.id !== plan.project.id) {
      const message = `${planFile} is for the project ${plan.project.name} (${plan.project.id}), and the key is one of ${project.name}.`;
      throw new CliError('failed', 'plan_stale', message);
    }
    const allowed = { ...options, allowMany: options.allowMany === true || flags.allowMany === true };
    return applyStack(context, { stack, options: allowed, digest, secretsOut: flags.secretsOut });
  },
});
