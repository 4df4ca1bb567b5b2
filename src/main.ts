import { DataDirInUse } from './db/dataDirLock.ts';
import { greet, showFirstAccount } from './greeting.ts';
import { ConfigError, config, loadConfig, readEnvFile } from './kernel/config.ts';
import { log } from './kernel/log.ts';
import { type Product, startProduct } from './product.ts';
import { warnOfAppsOnOneHost } from './services/projects/warnOfOneHost.ts';

/** The process: settings, start, signals, end. */
async function main(): Promise<void> {
  readEnvFile();
  loadConfig();
  const product = await startProduct({ onFirstStart: showFirstAccount });
  greet();
  await warnOfAppsOnOneHost();
  stopOnSignals(product);
}

function stopOnSignals(product: Product): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping: what is in hand is finished first');
    const limit = setTimeout(() => {
      log.warn('the stop took too long; what was in hand is taken up again at the next start');
      process.exit(1);
    }, config.shutdownSeconds * 1000);
    limit.unref();
    await product.stop();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name));
}

process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise was rejected and nobody cared'));

main().catch((error: unknown) => {
  const isExpected = error instanceof ConfigError || error instanceof DataDirInUse;
  if (isExpected) process.stderr.write(`${(error as Error).message}\n`);
  else log.fatal({ err: error }, 'the start failed');
  process.exit(1);
});
