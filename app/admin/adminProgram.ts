import { config, loadConfig, readEnvFile } from '../../src/kernel/config.ts';
import { log } from '../../src/kernel/log.ts';
import { startFault } from '../startFault.ts';
import { ADMIN_COMMANDS, usageOf } from './commands/table.ts';
import { runAdmin } from './runAdmin.ts';

/** npm forwards a signal that its child has already received from the terminal. */
const SAME_SIGNAL_MS = 1000;

/** The process of `npm run admin`: runs one command for operators, in the running product where that has the store. Never throws. */
export async function adminProgram(words: string[]): Promise<void> {
  // Such as head, which has seen enough: what else is printed is of no use.
  process.stdout.on('error', () => process.exit(1));
  try {
    await run(words);
  } catch (error) {
    showProgress(startFault(error) ?? (error as Error).message);
    process.exitCode = 1;
  }
}

async function run([name, ...args]: string[]): Promise<void> {
  const command = ADMIN_COMMANDS.find((known) => known.name === name);
  if (!command) throw new Error(usageOf(ADMIN_COMMANDS));
  readEnvFile();
  loadConfig();
  // Only the result is printed.
  log.level = 'error';
  await runAdmin(command, args, config, {
    print: (text) => void process.stdout.write(`${text}\n`),
    showProgress,
    onInterrupt: (cancel) => cancelOnInterrupt(command.name, cancel),
  });
}

function showProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The first Ctrl+C asks the product to end the command, and shows what becomes of it; the second waits for nothing. */
function cancelOnInterrupt(name: string, cancel: () => void): void {
  let interruptedAt: number | null = null;
  process.on('SIGINT', () => {
    if (interruptedAt === null) {
      interruptedAt = performance.now();
      showProgress(`Asking the product to end ${name}. Press Ctrl+C again to leave it to the product.`);
      cancel();
    } else if (performance.now() - interruptedAt > SAME_SIGNAL_MS) {
      showProgress(`${name} ends in the product as soon as it can.`);
      process.exit(130);
    }
  });
}
