import type { Context } from './context.ts';
import type { Operation } from './describeOperations.ts';

/** `['<link>', 'the link']`; brackets as in commander: `<required>`, `[optional]`, `<many...>`. */
export type ArgumentRow = [spec: string, summary: string, choices?: readonly string[]];

/** `['--out <file>', 'where to write']`, and what else there is to say of a flag. */
export type OptionRow = [
  flags: string,
  summary: string,
  more?: { choices?: readonly string[]; isRequired?: boolean; parse?: (text: string, earlier: never) => unknown },
];

/** What was typed. */
export interface Input {
  /** In the order of `args`; an optional one that is missing is undefined. The words of `<many...>` are joined to the list. */
  args: string[];
  /** In camelCase: `--forward-to` is `forwardTo`. */
  // biome-ignore lint/suspicious/noExplicitAny: each command knows its own
  flags: Record<string, any>;
}

/** A command that is written by hand. */
export interface Command {
  args?: ArgumentRow[];
  options?: OptionRow[];
  /** The call of an operation whose flags it takes too, but for those in `without`. `valuesOf` reads them. */
  takesFlagsOf?: Operation['call'];
  without?: string[];
  /** More about it, below the summary of the help. */
  details?: string;
  /** Shown in the help, without `svc`. */
  examples?: string[];
  /** False: everything behind the name is passed on, flags too. */
  takesGlobals?: boolean;
  /** Returns an exit code; nothing is `EXIT.done`. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
  run(context: Context, input: Input): Promise<number | void>;
}

/** Gives a command its type. */
export function defineCommand(command: Command): Command {
  return command;
}
