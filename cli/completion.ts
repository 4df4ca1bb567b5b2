import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { readConfig } from './config/configFile.ts';
import { EXIT } from './exitCodes.ts';
import { buildProgram, finish } from './program.ts';

/** Answers `svc complete -- words…`, which the scripts of `svc completion` ask: candidates, one a line. */
export async function complete(words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const program = buildProgram({ env, signal: new AbortController().signal, exitCode: EXIT.done });
  await finishAlong(program, words);
  const completion = tab(program, { completionCommandName: 'completion-of-tab' });
  const { profiles } = await readConfig(env).catch(() => ({ profiles: {} }));
  for (const command of [completion, ...completion.commands.values()]) {
    const option = command.options.get('profile');
    if (!option) continue;
    option.handler = (add) => {
      for (const name of Object.keys(profiles)) add(name, '');
    };
  }
  completion.parse(words);
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
