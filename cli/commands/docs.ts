import { defineCommand } from '../defineCommand.ts';
import { sectionsFor } from '../docsSearch.ts';
import { CliError } from '../errors.ts';
import { OPERATIONS } from '../operations.ts';

const ALL = { method: 'GET', path: '/llms-full.txt' };
const OVERVIEW = { method: 'GET', path: '/llms.txt' };

export const command = defineCommand({
  args: [['[words...]', 'what you want to know']],
  details: 'Searches the documentation of the server, which fits its version. Without words: the table of contents.',
  examples: ['docs webhooks signature', 'docs links.create', 'docs rate limits'],
  async run(context, { args: [typed] }) {
    const words = (typed as unknown as string[] | undefined) ?? [];
    if (words.length === 0) return context.output.raw((await context.request(OVERVIEW)).text);
    const { text } = await context.request(ALL);
    const found = sectionsFor(text, words.map(wordOf));
    if (found.length === 0)
      throw new CliError('notFound', 'not_found', `The documentation says nothing about "${words.join(' ')}".`);
    context.output.raw(`${found.join('\n\n')}\n`);
  },
});

/** An operation is found by its name in the documentation. */
function wordOf(word: string): string {
  return OPERATIONS.find(({ call }) => call === word)?.id ?? word;
}
