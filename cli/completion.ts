import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { readConfig } from './config/configFile.ts';
import { kebab } from './describeOperations.ts';
import { EXIT } from './exitCodes.ts';
import { OPERATIONS } from './operations.ts';
import { buildProgram, finish } from './program.ts';

/** A command of its own that the library adds for its scripts; ours are printed by `svc completion`. */
const OF_THE_LIBRARY = 'scripts-of-tab';

/** Answers `svc complete -- words…`, which the scripts of `svc completion` ask: candidates, one a line. */
export async function complete(words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const program = buildProgram({ env, signal: new AbortController().signal, exitCode: EXIT.done });
  await finishAlong(program, words);
  const completion = tab(program, { completionCommandName: OF_THE_LIBRARY });
  completion.commands.delete(OF_THE_LIBRARY);
  const { profiles } = await readConfig(env).catch(() => ({ profiles: {} }));
  for (const [name, command] of [['', completion] as const, ...completion.commands]) {
    offer(command.options.get('profile'), Object.keys(profiles));
    const operation = OPERATIONS.find((each) => each.words.join(' ') === name);
    for (const flag of operation?.flags ?? []) {
      if (flag.kind === 'list' && flag.choices) offer(command.options.get(kebab(flag.name)), flag.choices);
    }
  }
  completion.parse(words);
}

type TabOption = ReturnType<typeof tab> extends { options: Map<string, infer Option> } ? Option : never;

function offer(option: TabOption | undefined, values: string[]): void {
  if (!option) return;
  option.handler = (add) => {
    for (const value of values) add(value, '');
  };
}

/** Makes the commands that the words lead through; nothing else is asked about. */
async function finishAlong(program: Command, words: string[]): Promise<void> {
  let command = program;
  for (const word of words) {
    const below = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (!below) continue;
    await finish(below);
    command = below;
  }
}
