import { givenFlags } from '../addOperation.ts';
import { defineCommand } from '../defineCommand.ts';
import { valuesOf } from '../flagValues.ts';
import { resolveLink } from '../links.ts';
import { operationOf } from '../operationOf.ts';
import { blocksOf } from '../output/qrBlocks.ts';
import { replaceFile } from '../replaceFile.ts';

/** Modules of white around a code in a terminal; scanners want some. */
const TERMINAL_MARGIN = 2;

export const command = defineCommand({
  args: [['<link>', 'the id, ext_<your id>, short URL, domain/slug or slug of the link']],
  options: [['-o, --output <file>', 'write to this file: .png or .svg; - is stdout']],
  takesFlagsOf: 'links.qr',
  details: 'Without --output and --format the code is drawn in the terminal, to be scanned from the screen.',
  examples: ['links qr spring', 'links qr spring -o spring.png --size 1024'],
  async run(context, { args: [link = ''], flags }) {
    const operation = operationOf('links.qr');
    const { query } = await valuesOf(operation, givenFlags(operation, flags));
    const variables = { id: await resolveLink(context, link) };
    const { output: file } = flags;
    if (file === undefined && query.format === undefined) {
      const { text } = await context.request(operation, {
        variables,
        query: { margin: TERMINAL_MARGIN, ...query, format: 'svg' },
      });
      for (const line of blocksOf(text)) context.output.line(line);
      return;
    }
    const [, ending] = /\.(png|svg)$/i.exec(file ?? '') ?? [];
    const { bytes } = await context.request(operation, {
      variables,
      query: { ...(ending && { format: ending.toLowerCase() }), ...query },
    });
    if (file === undefined || file === '-') {
      process.stdout.write(bytes);
      return;
    }
    await replaceFile(file, bytes);
    context.output.note(`Wrote ${file} (${bytes.length} bytes).`);
  },
});
