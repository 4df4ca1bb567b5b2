import { givenFlags } from '../addOperation.ts';
import { defineCommand } from '../defineCommand.ts';
import { usageError } from '../errors.ts';
import { timeOf, valuesOf } from '../flagValues.ts';
import { operationOf } from '../operationOf.ts';
import { perform } from '../runOperation.ts';

/** What an assistant needs: to read, and to write links; see docs/mcp.md. */
const ASSISTANT = { name: 'Assistant', scopes: ['*:read', 'links:write'], lasts: '30d' };

export const command = defineCommand({
  options: [
    ['--name <text>', 'a name for people'],
    ['--for-assistant', 'a key for an assistant: it reads everything, writes links, and ends in 30 days'],
  ],
  takesFlagsOf: 'keys.create',
  without: ['name'],
  details: 'The key is shown once, and never again.',
  examples: ['keys create --name deploy --scopes links:read,links:write', 'keys create --for-assistant'],
  async run(context, { flags }) {
    const operation = operationOf('keys.create');
    const { body } = await valuesOf(operation, givenFlags(operation, flags));
    const preset = flags.forAssistant
      ? { name: ASSISTANT.name, scopes: ASSISTANT.scopes, expires_at: timeOf(ASSISTANT.lasts, { isPast: false }) }
      : {};
    const key = { ...preset, ...body };
    if (!key.name) throw usageError('required option --name <text> not specified, unless --for-assistant is');
    const exitCode = await perform(context, operation, { body: key, dryRun: flags.dryRun === true });
    if (!flags.dryRun) context.output.note('The key is shown this once. Store it where secrets belong.');
    if (flags.forAssistant && !flags.dryRun) context.output.note('To connect an assistant: svc mcp config claude');
    return exitCode;
  },
});
