import type { Link } from '../../sdk/client/index.ts';
import { givenFlags } from '../addOperation.ts';
import { copyToClipboard } from '../clipboard.ts';
import { defineCommand } from '../defineCommand.ts';
import { valuesOf } from '../flagValues.ts';
import { operationOf } from '../operationOf.ts';

export const command = defineCommand({
  args: [
    ['<destination>', 'where visitors go'],
    ['[slug]', 'the path of the short URL; made up if there is none'],
  ],
  options: [['--copy', 'copy the short URL to the clipboard']],
  takesFlagsOf: 'links.create',
  without: ['destination', 'slug'],
  details: 'Prints the short URL and nothing else, for scripts; --json prints the whole link.',
  examples: [
    'links create https://example.com/sale spring',
    'links create https://example.com --tags q4,mail --expires-at 30d --copy',
    'links create https://example.com --routing @rules.json',
  ],
  async run(context, { args: [typed = '', slug], flags }) {
    const operation = operationOf('links.create');
    const { body } = await valuesOf(operation, givenFlags(operation, flags));
    const domain = context.profile.domain.value;
    const destination = /^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`;
    const link = { destination, ...(slug !== undefined && { slug }), ...(domain !== null && { domain }), ...body };
    const answer = await context.request(operation, { body: link, dryRun: flags.dryRun === true });
    const { output } = context;
    const { short_url } = answer.json<Link>();
    if (flags.dryRun) output.note('Dry run: this is what would happen. Nothing was kept.');
    if (output.isJson || context.flags.fields) await output.answer({ text: answer.text });
    else output.line(short_url);
    if (flags.copy && !flags.dryRun)
      output.note((await copyToClipboard(short_url)) ? 'Copied.' : 'There is no clipboard here.');
  },
});
