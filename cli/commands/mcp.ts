import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { defineCommand, type Input, type OptionRow } from '../defineCommand.ts';
import { CliError } from '../errors.ts';
import { Bridge } from '../mcp/bridge.ts';
import { CLIENTS, type Entry, fileOf, merged, snippetOf } from '../mcp/clients.ts';
import { replaceFile } from '../replaceFile.ts';

const LIMITS: OptionRow[] = [
  ['--read-only', 'offer no tool that changes anything'],
  ['--toolsets <list>', 'offer these groups of tools alone: core, webhooks, domains, apps, code'],
  ['--max-writes <number>', 'let at most this many records be changed in an hour'],
  ['--confirm <how>', 'who confirms what is dangerous', { choices: ['person', 'code'] }],
];

export const bridge = defineCommand({
  options: LIMITS,
  details:
    'Carries MCP messages between stdin and stdout and the server, for programs that start a command. The key is that of the profile, or ' +
    'SVC_KEY. Programs that can ask over HTTP need no bridge: see svc docs mcp.',
  examples: ['mcp --read-only', 'mcp config claude --write'],
  async run(context, { flags }) {
    // Said at once, and not with the first message.
    await context.client();
    const query = new URLSearchParams(limitsOf(flags)).toString();
    const write = (line: string) => process.stdout.write(`${line}\n`);
    await new Bridge(context, `/mcp${query && `?${query}`}`, write).run(process.stdin);
  },
});

export const config = defineCommand({
  args: [['<program>', 'the program that the assistant runs in', Object.keys(CLIENTS)]],
  options: [
    ...LIMITS,
    ['--name <name>', 'the name of the server in that program; svc when nothing is said'],
    ['--write', 'write it to the file of the program'],
  ],
  details: 'Prints what to write where. The key does not stand in it: the bridge reads it from the config file of svc.',
  async run(context, { args: [program = ''], flags }) {
    const client = CLIENTS[program];
    if (!client) throw new Error(`${program} has no row`);
    const { profile } = context;
    const named = profile.source === 'flag' || profile.source === 'environment' ? ['--profile', profile.name] : [];
    const entry: Entry = { command: 'svc', args: ['mcp', ...named, ...flagsOf(flags)] };
    const name = flags.name ?? 'svc';
    const file = fileOf(client, context.env.HOME || homedir());
    if (!flags.write) {
      context.output.note(`${client.name}: ${file}`);
      context.output.raw(snippetOf(client, name, entry));
      return;
    }
    const before = await readFile(file, 'utf8').catch(() => '');
    const after = mergedOrRefused(() => merged(client, before, name, entry), file);
    if (after === before) return context.output.note(`${file} has it already.`);
    for (const line of changedLines(before, after)) context.output.note(line);
    await context.confirm(`svc mcp config writes this to ${file}.`);
    await mkdir(path.dirname(file), { recursive: true });
    await replaceFile(file, after);
    context.output.note(`Wrote ${file}.`);
  },
});

function limitsOf({ readOnly, toolsets, maxWrites, confirm }: Input['flags']): Record<string, string> {
  return {
    ...(readOnly && { read_only: 'true' }),
    ...(toolsets && { toolsets }),
    ...(maxWrites && { budget: maxWrites }),
    ...(confirm && { confirm }),
  };
}

function flagsOf({ readOnly, toolsets, maxWrites, confirm }: Input['flags']): string[] {
  return [
    ...(readOnly ? ['--read-only'] : []),
    ...(toolsets ? ['--toolsets', toolsets] : []),
    ...(maxWrites ? ['--max-writes', maxWrites] : []),
    ...(confirm ? ['--confirm', confirm] : []),
  ];
}

function mergedOrRefused(merge: () => string, file: string): string {
  try {
    return merge();
  } catch (error) {
    throw new CliError(
      'failed',
      'file_refused',
      `${file} is no JSON: ${(error as Error).message}`,
      'Add what svc mcp config prints by hand.',
    );
  }
}

/** The lines that go and come, between what stays at both ends. */
function changedLines(before: string, after: string): string[] {
  const [old, fresh] = [before, after].map((text) => (text === '' ? [] : text.trimEnd().split('\n'))) as [
    string[],
    string[],
  ];
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+ ${line}`),
  ];
}
