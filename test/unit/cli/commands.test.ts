// stores: none
import { expect } from 'chai';
import type { Command } from 'commander';
import { COMMANDS } from '../../../cli/commands/table.ts';
import { kebab, type Operation } from '../../../cli/describeOperations.ts';
import { EXIT } from '../../../cli/exitCodes.ts';
import { GLOBALS } from '../../../cli/globals.ts';
import { OPERATIONS } from '../../../cli/operations.ts';
import { buildProgram, finish } from '../../../cli/program.ts';

const UNKNOWN = 'commander.unknownOption';
const MISSING_FLAG = 'commander.missingMandatoryOptionValue';
const MISSING_ARGUMENT = 'commander.missingArgument';

describe('commands', () => {
  const written = new Set(COMMANDS.map(({ words }) => words));
  const isComputed = ({ words }: Operation) => !written.has(words.join(' '));

  it('has one for each operation of the REST API', async () => {
    for (const operation of OPERATIONS) {
      const command = await commandOf(operation.words);
      expect(command.summary(), operation.call).to.not.equal('');
    }
    expect(OPERATIONS.length).to.be.greaterThan(60);
  });

  it('gives every flag of an operation to its command, or says where it is', async () => {
    for (const operation of OPERATIONS.filter(isComputed)) {
      const command = await commandOf(operation.words);
      for (const { name } of operation.flags) expect(longs(command), operation.call).to.include(`--${kebab(name)}`);
      if (operation.rehearses) expect(longs(command), operation.call).to.include('--dry-run');
      expect(command.registeredArguments.filter(({ required }) => required).length, operation.call).to.equal(
        operation.args.length + (operation.bodyType === 'text/csv' ? 1 : 0),
      );
    }
  });

  it('gives every command the global flags, unless a field has the name', async () => {
    for (const words of allWords()) {
      const command = await commandOf(words);
      for (const { flags } of GLOBALS) expect(longs(command), words.join(' ')).to.include(/--[a-z-]+/.exec(flags)?.[0]);
    }
  });

  it('refuses an unknown flag of each command with 64, and sends nothing', async () => {
    for (const words of allWords()) await expectUsage([...words, '--no-such-flag'], [UNKNOWN, MISSING_FLAG], words);
  });

  it('asks for arguments and flags that are required', async () => {
    for (const operation of OPERATIONS.filter(isComputed)) {
      const required = operation.flags.filter(({ isRequired }) => isRequired);
      const args = operation.args.map(() => 'x').concat(operation.bodyType === 'text/csv' ? ['-'] : []);
      if (args.length > 0) await expectUsage(operation.words, [MISSING_ARGUMENT, MISSING_FLAG], operation.words);
      if (required.length > 0) {
        await expectUsage([...operation.words, ...args], [MISSING_FLAG], operation.words);
      }
    }
  });

  it('has rows that load, with words of their own', async () => {
    expect(written.size).to.equal(COMMANDS.length);
    for (const { words, load, summary } of COMMANDS) {
      expect((await load()).command.run, words).to.be.a('function');
      expect(summary.length, words).to.be.within(5, 60);
    }
  });

  function allWords(): string[][] {
    return [...OPERATIONS.map(({ words }) => [...words]), ...COMMANDS.map(({ words }) => words.split(' '))];
  }
});

async function commandOf(words: readonly string[]): Promise<Command> {
  let command = programOf();
  for (const word of words) {
    const below = command.commands.find((each) => each.name() === word);
    if (!below) throw new Error(`There is no command ${words.join(' ')}`);
    await finish(below);
    command = below;
  }
  return command;
}

function programOf(): Command {
  return buildProgram({ env: {}, signal: new AbortController().signal, exitCode: EXIT.done });
}

function longs(command: Command): string[] {
  return command.options.map(({ long }) => long ?? '');
}

async function expectUsage(argv: readonly string[], codes: string[], words: readonly string[]): Promise<void> {
  const error = await programOf()
    .parseAsync([...argv], { from: 'user' })
    .then(
      () => null,
      (thrown) => thrown,
    );
  expect(codes, `svc ${words.join(' ')}: ${error?.message}`).to.include(error?.code);
}
