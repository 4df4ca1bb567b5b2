import { Argument, Command, Option } from 'commander';
import { addFlags, addOperation } from './addOperation.ts';
import { COMMANDS, type CommandRow } from './commands/table.ts';
import { Context } from './context.ts';
import type { Command as HandWritten, Input } from './defineCommand.ts';
import type { Operation } from './describeOperations.ts';
import { EXIT, EXIT_ROWS } from './exitCodes.ts';
import { GLOBALS, type GlobalFlags } from './globals.ts';
import { OPERATIONS, RESOURCES } from './operations.ts';
import { isColored } from './output/Output.ts';
import { VERSION } from './version.ts';

type Env = Record<string, string | undefined>;

/** Other names of commands. */
const ALIASES: Record<string, string> = { 'alerts acknowledge': 'ack' };
const USUAL_WIDTH = 80;
const GLOBAL_HEADING = 'Global options:';

/** What a program is run with; `exitCode` is set by the command that ran. */
export interface Run {
  env: Env;
  signal: AbortSignal;
  exitCode: number;
}

/**
 * The tree of commands. Only the first level is made at once; a group gets its verbs, and a command its flags, when the words of the
 * command line lead there: most of 80 commands are never looked at.
 */
export function buildProgram(run: Run): Command {
  const program = new Command('svc');
  program
    .description('Short links, deep links, analytics and webhooks of an svc server, from the command line.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print what a command does and takes')
    .helpCommand('help [command]', 'print the help of a command')
    .enablePositionalOptions()
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({
      getOutHelpWidth: () => process.stdout.columns || Number(run.env.COLUMNS) || USUAL_WIDTH,
      getErrHelpWidth: () => process.stderr.columns || Number(run.env.COLUMNS) || USUAL_WIDTH,
      getOutHasColors: () => isColored({}, run.env, process.stdout.isTTY === true),
      // What is wrong is told once, by whoever catches it.
      outputError: () => {},
    })
    .configureHelp({
      styleTitle: (title) => (program.configureOutput().getOutHasColors?.() ? `\x1b[1m${title}\x1b[22m` : title),
    })
    .action(() => {
      const [word] = program.args;
      if (word === undefined) program.outputHelp();
      else program.error(`error: "${word}" is no command. See svc --help.`, { code: 'commander.unknownCommand' });
    });
  addGlobals(program);
  const tree = new Tree(program, run);
  for (const row of COMMANDS)
    if (!row.words.includes(' ') && !RESOURCE_WORDS.has(row.words)) tree.addRow(program, row, row.words);
  for (const resource of RESOURCE_WORDS) tree.addGroup(resource);
  addExitCodes(program);
  // Its commands have taken over the setting by now. A word that is no command is refused by the action above.
  program.allowExcessArguments();
  return program;
}

/** Runs the operation with what was typed. What it does is only imported when it is called. */
async function runOperationOf(operation: Operation, context: Context, input: Input): Promise<number> {
  const { runOperation } = await import('./runOperation.ts');
  return runOperation(context, operation, input);
}

/** The first words of commands with a verb. */
const RESOURCE_WORDS = new Set([
  ...OPERATIONS.map(({ words }) => words[0]),
  ...COMMANDS.filter(({ words }) => words.includes(' ')).map(({ words }) => words.split(' ')[0] as string),
]);

/** What is still to be done for a command before it can be used. */
const UNFINISHED = new WeakMap<Command, () => Promise<void> | void>();

/** Gives a command its verbs, or its arguments and flags. */
export async function finish(command: Command): Promise<void> {
  const work = UNFINISHED.get(command);
  UNFINISHED.delete(command);
  await work?.();
}

/** Makes the commands below when they are needed. */
class Tree {
  private readonly program: Command;
  private readonly run: Run;

  constructor(program: Command, run: Run) {
    this.program = program;
    this.run = run;
    this.finishWhatIsBelow(program);
  }

  addGroup(resource: string): void {
    const own = COMMANDS.find(({ words }) => words === resource);
    const group = this.add(this.program, resource, own?.summary ?? RESOURCES[resource] ?? GROUPS[resource] ?? '');
    this.finishWhatIsBelow(group);
    UNFINISHED.set(group, async () => {
      if (own) await this.define(group, own);
      this.addVerbs(group, resource, own !== undefined);
    });
  }

  addRow(parent: Command, row: CommandRow, name: string): void {
    const command = this.add(parent, name, row.summary);
    UNFINISHED.set(command, () => this.define(command, row));
  }

  private addVerbs(group: Command, resource: string, hasOwnAction: boolean): void {
    const rows = COMMANDS.filter(({ words }) => words.startsWith(`${resource} `));
    const operations = OPERATIONS.filter(({ words }) => words[0] === resource);
    for (const operation of operations) {
      const [, verb] = operation.words;
      const row = rows.find(({ words }) => words === operation.words.join(' '));
      if (row) this.addRow(group, row, verb);
      else this.addOperation(group, operation, !hasOwnAction && verb === 'get' && operation.args.length === 0);
    }
    for (const row of rows) {
      const [, verb = ''] = row.words.split(' ');
      if (!operations.some(({ words }) => words[1] === verb)) this.addRow(group, row, verb);
    }
  }

  private addOperation(group: Command, operation: Operation, isDefault: boolean): void {
    const command = this.add(group, operation.words[1], operation.summary, isDefault);
    const alias = ALIASES[operation.words.join(' ')];
    if (alias) command.alias(alias);
    UNFINISHED.set(command, () => {
      addOperation(command, operation);
      addGlobals(command);
      command.action(() => this.perform(command, (context, input) => runOperationOf(operation, context, input)));
    });
  }

  private async define(command: Command, row: CommandRow): Promise<void> {
    const { command: written } = await row.load();
    addWritten(command, written);
    if (written.takesGlobals !== false) addGlobals(command);
    command.action(() => this.perform(command, (context, input) => written.run(context, input)));
  }

  private async perform(
    command: Command,
    // biome-ignore lint/suspicious/noConfusingVoidType: as in Command
    run: (context: Context, input: Input) => Promise<number | void>,
  ): Promise<void> {
    const context = await Context.make(globalsOf(command), this.run.env, this.run.signal);
    const args = command.processedArgs as string[];
    this.run.exitCode = (await run(context, { args, flags: command.opts() })) ?? EXIT.done;
  }

  private add(parent: Command, name: string, summary: string, isDefault = false): Command {
    const command = parent.command(name, { isDefault }).summary(summary).description(summary);
    return command;
  }

  private finishWhatIsBelow(command: Command): void {
    command.hook('preSubcommand', (_, below) => finish(below));
  }
}

/** What groups are about that are no resources of the API. */
const GROUPS: Record<string, string> = {
  deliveries: 'Events on their way to a webhook, and resending them.',
  team: 'The team of the key.',
  code: 'Links as code: files that say which links there are.',
  profiles: 'Several servers and projects, each with its key.',
  config: 'Settings, and where they were said.',
};

function addWritten(
  command: Command,
  { args = [], options = [], takesFlagsOf, without = [], ...more }: HandWritten,
): void {
  for (const [spec, summary, choices] of args) {
    const argument = new Argument(spec, summary);
    command.addArgument(choices ? argument.choices(choices) : argument);
  }
  for (const [flags, summary, { choices, isRequired, parse } = {}] of options) {
    const option = new Option(flags, summary);
    if (choices) option.choices(choices);
    if (isRequired) option.makeOptionMandatory();
    if (parse) option.argParser(parse as (text: string, earlier: unknown) => unknown);
    command.addOption(option);
  }
  const operation = OPERATIONS.find(({ call }) => call === takesFlagsOf);
  if (operation)
    addFlags(command, { ...operation, flags: operation.flags.filter(({ name }) => !without.includes(name)) });
  if (more.details) command.description(`${command.summary()}\n\n${more.details}`);
  if (more.examples)
    command.addHelpText('after', `\nExamples:\n${more.examples.map((example) => `  svc ${example}`).join('\n')}`);
  if (more.takesGlobals === false) command.allowUnknownOption().allowExcessArguments();
}

/** A command may have a flag of its own with the name of a global one: then that stands in front: `svc --url … webhooks create`. */
function addGlobals(command: Command): void {
  for (const { flags, summary, parse } of GLOBALS) {
    const option = new Option(flags, summary).helpGroup(GLOBAL_HEADING);
    if (parse) option.argParser(parse);
    if (command.options.some(({ long, short }) => long === option.long || (short && short === option.short))) continue;
    command.addOption(option);
  }
}

/** The global flags that were typed, in front of the words or behind them. */
function globalsOf(command: Command): GlobalFlags {
  const chain: Command[] = [];
  for (let each: Command | null = command; each; each = each.parent) chain.unshift(each);
  const flags: Record<string, unknown> = {};
  for (const each of chain) {
    for (const { name } of GLOBALS) {
      const isGlobal = each.options.some(
        (option) => option.attributeName() === name && option.helpGroupHeading === GLOBAL_HEADING,
      );
      if (isGlobal && each.getOptionValueSource(name) === 'cli') flags[name] = each.getOptionValue(name);
    }
  }
  return { ...flags, header: command.getOptionValue('header') === true };
}

/** `svc help exit-codes`. */
function addExitCodes(program: Command): void {
  const table = EXIT_ROWS.map(([code, meaning]) => `${String(code).padStart(5)}  ${meaning}\n`).join('');
  program
    .command('exit-codes', { hidden: true })
    .configureHelp({ formatHelp: () => `Exit codes:\n${table}` })
    .action(() => {
      process.stdout.write(table);
    });
}
