import { defineCommand } from '../defineCommand.ts';

export const command = defineCommand({
  details:
    'Prints the JSON Schema of the files, for editors and other programs. The server has it at /api/v1/code.schema.json.',
  examples: ['code schema > code.schema.json'],
  async run({ flags, output }) {
    const { CODE_SCHEMA } = await import('../../sdk/code/index.ts');
    if (flags.jq !== undefined) await output.answer({ text: JSON.stringify(CODE_SCHEMA) });
    else output.raw(`${JSON.stringify(CODE_SCHEMA, null, 2)}\n`);
  },
});
