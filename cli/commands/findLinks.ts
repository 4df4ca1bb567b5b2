import { givenFlags } from '../addOperation.ts';
import { defineCommand } from '../defineCommand.ts';
import { valuesOf } from '../flagValues.ts';
import { operationOf } from '../operationOf.ts';
import { printPages } from '../output/pages.ts';

export const command = defineCommand({
  args: [['<words...>', 'a part of the slug, the destination or the title']],
  takesFlagsOf: 'links.list',
  without: ['search'],
  examples: ['links find sale', 'links find example.com/docs --status active'],
  async run(context, { args: [words], flags }) {
    const operation = operationOf('links.list');
    const { query } = await valuesOf(operation, givenFlags(operation, flags));
    const search = (words as unknown as string[]).join(' ');
    return printPages(context, operation, { query: { ...query, search } }, flags.all === true);
  },
});
