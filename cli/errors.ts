import type { ExitName } from './exitCodes.ts';

/** Something that this command line refuses or could not do. `advice` says what to do about it. */
export class CliError extends Error {
  readonly exit: ExitName;
  readonly code: string;
  readonly advice: string | null;

  constructor(exit: ExitName, code: string, message: string, advice: string | null = null) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.advice = advice;
  }
}

/** The command line is wrong. */
export function usageError(message: string, advice: string | null = null): CliError {
  return new CliError('usage', 'usage', message, advice);
}

/** The user pressed Ctrl-C, or a prompt was cancelled. */
export function interrupted(): CliError {
  return new CliError('interrupted', 'interrupted', 'Interrupted.');
}
