import type { Health } from '../../sdk/client/index.ts';
import { defineCommand } from '../defineCommand.ts';
import { EXIT } from '../exitCodes.ts';
import type { Row } from '../output/cells.ts';
import { waitGrowing } from '../waitGrowing.ts';

export const command = defineCommand({
  options: [
    ['--run', 'run the checks now'],
    ['--wait', 'look again, in growing gaps, until nothing fails; with --run the checks run each time'],
  ],
  details: 'The exit code is 1 while the project is failing, so that scripts can ask.',
  async run(context, { flags }) {
    const look = async () => context.request(flags.run ? 'runHealthChecks' : 'getHealth');
    let answer = await look();
    if (flags.wait) {
      const isDone = (health: Health) => health.status === 'passing';
      for await (const _ of waitGrowing(context, () => isDone(answer.json()))) {
        context.output.note(
          `${answer.json<Health>().status}: ${problemsOf(answer.json()).join(', ') || 'not checked yet'}`,
        );
        answer = await look();
      }
    }
    const health = answer.json<Health>();
    const rows = health.checks as unknown as Row[];
    await context.output.answer({ text: answer.text, rows, columns: ['name', 'status', 'message', 'since'] });
    context.output.note(`The project is ${health.status}.`);
    return health.status === 'failing' ? EXIT.failed : EXIT.done;
  },
});

function problemsOf({ checks }: Health): string[] {
  return checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
}
