import { defineCommand } from '../defineCommand.ts';
import { usageError } from '../errors.ts';
import { replaceFile } from '../replaceFile.ts';

const STACK = /^[a-z0-9][a-z0-9-]{0,62}$/;

export const command = defineCommand({
  options: [
    ['--stack <name>', 'the stack that the file is for [main]'],
    ['--tag <name>', 'only links with this tag, and no domains and webhooks'],
    ['-o, --out <file>', 'where to write it [stdout]'],
  ],
  details:
    'Writes what the project has as a file of links as code. Once it is adopted (svc code adopt), its plan is empty. What other ' +
    'stacks manage, archived links and disabled webhooks are left out.',
  examples: ['code export --stack marketing > links.yaml', 'code export --tag q4 -o q4.yaml'],
  async run(context, { flags }) {
    const stack: string = flags.stack ?? 'main';
    if (!STACK.test(stack)) throw usageError('A stack is named with small letters, digits and hyphens.');
    const { apiOf, CODE_SCHEMA, exportStack } = await import('../../sdk/code/index.ts');
    const api = apiOf(await context.client(), context.signal);
    const schemaUrl = `${context.url}/api/v1/code.schema.json`;
    const { yaml, links, notes } = await exportStack(api, { stack, tag: flags.tag ?? null, schemaUrl }, CODE_SCHEMA);
    if (flags.out === undefined) context.output.raw(yaml);
    else await replaceFile(flags.out, yaml);
    context.output.note([`${links} link${links === 1 ? '' : 's'}`, ...notes].join(', '));
  },
});
