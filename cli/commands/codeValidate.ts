import { FILE_OPTION, readStackOf } from '../code/readFiles.ts';
import { defineCommand } from '../defineCommand.ts';
import { EXIT } from '../exitCodes.ts';

export const command = defineCommand({
  options: [FILE_OPTION],
  details: 'Needs no server and no key. Every problem is told with its file, line and column.',
  examples: ['code validate -f links/'],
  async run(context, { flags }) {
    const stack = await readStackOf(context, flags.file);
    if (!stack) return EXIT.failed;
    const links = stack.wanted.filter(({ kind }) => kind === 'link').length;
    const { name, files } = stack;
    if (context.output.isJson) await context.output.answer({ text: JSON.stringify({ stack: name, files, links }) });
    else
      context.output.line(
        `Stack ${name}: ${files} file${files === 1 ? '' : 's'}, ${links} link${links === 1 ? '' : 's'}, no problem.`,
      );
    return EXIT.done;
  },
});
