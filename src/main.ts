import { greet, showFirstAccount } from './greeting.ts';
import { config, loadConfig, readEnvFile } from './kernel/config.ts';
import { log } from './kernel/log.ts';
import { type Product, startProduct } from './product.ts';
import { warnOfAppsOnOneHost } from './services/projects/warnOfOneHost.ts';
import { startFault } from './startFault.ts';

/** How long a connection that is idle may still bring a request that was on its way when the stop began. */
const LINGER_MS = 500;
/** npm passes on a signal that its child has had from the terminal already. */
const SAME_SIGNAL_MS = 1000;

/** The process: settings, start, signals, end. */
async function main(): Promise<void> {
  readEnvFile();
  loadConfig();
  const product = await startProduct({ onFirstStart: showFirstAccount });
  stopOnSignals(product);
  greet();
  await warnOfAppsOnOneHost();
}

function stopOnSignals(product: Product): void {
  let stoppingSince: number | null = null;
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) endAtOnce('stopped at once, because it was asked again');
      return;
    }
    stoppingSince = performance.now();
    const delaySeconds = config.shutdownDelaySeconds;
    log.info({ signal, delaySeconds }, 'stopping: what is in hand is finished first');
    setTimeout(() => endAtOnce('the stop took too long'), (delaySeconds + config.shutdownSeconds) * 1000).unref();
    await product.stop({ delaySeconds, lingerMs: LINGER_MS });
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name));
}

function endAtOnce(why: string): void {
  log.warn(`${why}; what was in hand is taken up again at the next start`);
  process.exit(1);
}

process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise was rejected and nobody cared'));

main().catch((error: unknown) => {
  const fault = startFault(error);
  if (fault === null) log.fatal({ err: error }, 'the start failed');
  else process.stderr.write(`${fault}\n`);
  process.exit(1);
});
