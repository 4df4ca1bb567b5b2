import { CliError, interrupted } from './errors.ts';

/** Whether a person can be asked: both ends are a terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks for a line; what is typed is hidden if it is a secret. */
export async function ask(message: string, { isSecret = false, initial = '' } = {}): Promise<string> {
  const { isCancel, password, text } = await import('@clack/prompts');
  const output = process.stderr;
  const answer = isSecret
    ? await password({ message, mask: '•', output })
    : await text({ message, output, ...(initial && { initialValue: initial }) });
  if (isCancel(answer)) throw interrupted();
  return (answer ?? '').trim();
}

/**
 * Asks before something that cannot be taken back: the person types a word, such as the slug of the link. Without a terminal, and
 * without `--yes`, nothing is done.
 */
export async function confirmByWord(what: string, word: string, isYes: boolean): Promise<void> {
  if (isYes) return;
  if (!canAsk()) throw new CliError('failed', 'needs_yes', `${what} This needs --yes where nobody can be asked.`);
  const typed = await ask(`${what} Type ${word} to go on:`);
  if (typed !== word) throw new CliError('failed', 'not_confirmed', 'Nothing was done.');
}

/** All of stdin, as a text. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
