import { config, formerNamesIn, loadConfig, readEnvFile } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { warnIfAppsShareHost } from '../src/projects/projectService.ts';
import { printBanner, showFirstAccount } from './banner.ts';
import { type Product, startProduct } from './product.ts';
import { startFault } from './startFault.ts';

/** How long an idle connection may still deliver a request that was on its way when the shutdown began. */
const LINGER_MS = 500;
/** npm forwards a signal that its child has already received from the terminal. */
const SAME_SIGNAL_MS = 1000;

/** The process of every role: reads the settings, starts the product, and stops it on SIGTERM and SIGINT. Never throws. */
export async function runProduct(): Promise<void> {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'));
  try {
    await run();
  } catch (error) {
    endWithFault(error);
  }
}

async function run(): Promise<void> {
  readEnvFile();
  loadConfig();
  for (const { former, name } of formerNamesIn(process.env))
    log.warn(`${former} is called ${name} now; please rename it`);
  const product = await startProduct({ onFirstStart: showFirstAccount, onFault: endWithFault });
  stopOnSignals(product);
  printBanner();
  if (config.role !== 'redirect') await warnIfAppsShareHost();
}

function stopOnSignals(product: Product): void {
  let stoppingSince: number | null = null;
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) endAtOnce('stopped at once because of a second signal');
      return;
    }
    stoppingSince = performance.now();
    const delaySeconds = config.shutdownDelaySeconds;
    log.info({ signal, delaySeconds }, 'shutting down: running work is finished first');
    setTimeout(() => endAtOnce('the shutdown took too long'), (delaySeconds + config.shutdownSeconds) * 1000).unref();
    await product.stop({ delaySeconds, lingerMs: LINGER_MS });
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name));
}

function endAtOnce(why: string): void {
  log.warn(`${why}; unfinished work is resumed at the next start`);
  process.exit(1);
}

function endWithFault(error: unknown): void {
  const fault = startFault(error);
  if (fault === null) log.fatal({ err: error }, 'the start failed');
  else process.stderr.write(`${fault}\n`);
  process.exit(1);
}
