import type { Statements } from '../../../jobs/readQueues.ts';
import type { Config } from '../../../src/kernel/config.ts';

/** A command for operators: `npm run admin -- <name> <args>`. */
export interface AdminCommand {
  name: string;
  /** Its arguments as shown in the usage, such as `TEAM_ID REASON…`; empty if it takes none. */
  usage: string;
  about: string;
  /**
   * What it works on.
   * - `store` (default): the open store. Where a product runs on an embedded store, the command runs in that process.
   * - `older store`: the same, but a process that opens the store by itself runs no migrations first.
   * - `settings`: what it opens by itself, also while the product runs.
   * - `stopped`: what it opens and locks by itself while no product runs there.
   */
  needs?: 'store' | 'older store' | 'settings' | 'stopped';
  /** It may take hours: it runs once at a time in a product, and can be run again after it ended early. */
  isLong?: true;
  /** What it needs of the settings of the caller, which a product that was started earlier may not have. */
  takeSettings?(config: Config): Promise<Given>;
  /** Returns what to print at the end. Throws `WrongArguments`, or an error whose message is shown. */
  run(args: string[], context: AdminContext): Promise<string>;
}

/** Whether a command works on the open store, and therefore in the product where that has it. */
export function worksOnOpenStore({ needs = 'store' }: AdminCommand): boolean {
  return needs === 'store' || needs === 'older store';
}

/** Settings of the caller by name. */
export type Given = Record<string, string | null>;

/** What a command has around it, wherever it runs. */
export interface AdminContext {
  /** The folder of the caller, from which relative paths begin. */
  folder: string;
  /** What `takeSettings` returned. */
  given: Given;
  /** What the running product lends; null: the command runs in a process of its own. */
  product: LentByProduct | null;
  /** Aborted with a `Cancelled` when the caller cancels or is gone, or when the product stops. */
  signal: AbortSignal;
  /** Prints lines before the end, as fast as the caller reads them. */
  print(text: string): Promise<void>;
  /** Shows how far the command is, apart from its output. */
  showProgress(line: string): void;
}

export interface LentByProduct {
  /** The embedded store of jobs, which one process alone can open. */
  jobStore: Statements;
}

/** The arguments do not match the usage, which is then shown. */
export class WrongArguments extends Error {}

/** A command was asked to end early; `message` says why. */
export class Cancelled extends Error {}

/** The longest reason that an operator gives, in characters: people read it wherever they are refused something. */
const MAX_REASON_LENGTH = 500;

/** The reason in the last arguments of a command. Throws `WrongArguments` for one that is missing or too long. */
export function reasonOf(words: readonly string[]): string {
  const reason = words.join(' ').trim();
  if (!reason || reason.length > MAX_REASON_LENGTH) throw new WrongArguments();
  return reason;
}
