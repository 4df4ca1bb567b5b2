import { CliError } from './errors.ts';
import { EXIT } from './exitCodes.ts';
import { VERSION } from './operations.ts';

/** How long a command may take to end after Ctrl-C, to tell what was done. */
const LAST_WORDS_MS = 2000;

/** Runs a command line. What it does is imported when it is known, so that `svc --version` waits for nothing. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  if (argv[0] === 'complete' && argv[1] === '--') {
    const { complete } = await import('./completion.ts');
    return complete(argv.slice(2), env);
  }
  // A reader that has enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed),
  );
  const ctrlC = new AbortController();
  process.on('SIGINT', () => {
    if (ctrlC.signal.aborted) process.exit(EXIT.interrupted);
    ctrlC.abort();
    setTimeout(() => process.exit(EXIT.interrupted), LAST_WORDS_MS).unref();
  });
  process.on('SIGTERM', () => process.emit('SIGINT'));
  try {
    const exitCode = await run(argv, env, ctrlC.signal);
    process.exitCode = ctrlC.signal.aborted ? EXIT.interrupted : exitCode;
  } catch (error) {
    await report(ctrlC.signal.aborted ? new CliError('interrupted', 'interrupted', 'Interrupted.') : error, argv, env);
  }
  // Nothing that is still open may hold the process: what was asked for is done.
  process.stdin.unref?.();
}

async function run(argv: string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  const { buildProgram } = await import('./program.ts');
  const run = { env, signal, exitCode: EXIT.done as number };
  await buildProgram(run).parseAsync(argv, { from: 'user' });
  return run.exitCode;
}

async function report(error: unknown, argv: string[], env: NodeJS.ProcessEnv): Promise<void> {
  // Help and version are no errors, though commander throws them.
  const { code, exitCode } = error as { code?: string; exitCode?: number };
  if (code?.startsWith('commander.') && (exitCode === 0 || code === 'commander.help')) {
    process.exitCode = exitCode === 0 ? EXIT.done : EXIT.usage;
    return;
  }
  const { reportOf } = await import('./report.ts');
  const { exitCode: ends, lines, json } = reportOf(error);
  process.exitCode = ends;
  const isJson = argv.includes('--json');
  process.stderr.write(isJson ? `${json}\n` : `${lines.join('\n')}\n`);
  if (env.SVC_DEBUG && !(error instanceof CliError) && error instanceof Error && !isJson)
    process.stderr.write(`${error.stack}\n`);
}
