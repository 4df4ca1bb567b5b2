import { existsSync } from 'node:fs';
import path from 'node:path';
import { closeClickHouse } from '../../src/clicks/clickhouse/connection.ts';
import { checkSecrets } from '../../src/db/checkSecrets.ts';
import { closeDatabase, openDatabase } from '../../src/db/connection/database.ts';
import { DataDirInUse, guardDataDir, lockDataDir, refuseHalfRestored } from '../../src/db/dataDir.ts';
import { migrateAtStart } from '../../src/db/migrate.ts';
import type { Config } from '../../src/kernel/config.ts';
import { openSecrets } from '../../src/kernel/secrets.ts';
import { connectModels } from '../../src/models/index.ts';
import { type AdminCommand, worksOnOpenStore } from './commands/AdminCommand.ts';
import { shownError } from './commands/table.ts';
import { findRunningProduct, type Output, type RunningProduct } from './runningProduct.ts';

interface Terminal extends Output {
  /** Has `cancel` called when the person asks for the end of a command that runs in the product. */
  onInterrupt(cancel: () => void): void;
}

/**
 * Runs one command. An embedded store belongs to one process: if a product runs on it, the command runs in that product. Every
 * process may open PostgreSQL, so there the command runs in this process, and announces its changes to all others.
 */
export async function runAdmin(
  command: AdminCommand,
  args: string[],
  config: Config,
  terminal: Terminal,
): Promise<void> {
  const isAlone = command.needs === 'settings' || config.databaseUrl !== null;
  const product = isAlone ? null : await findRunningProduct(config.dataDir);
  if (!product) return runHere(command, args, config, terminal);
  try {
    if (!worksOnOpenStore(command)) throw new Error(mustBeStopped(command, product, config));
    terminal.onInterrupt(() => product.cancel());
    const given = (await command.takeSettings?.(config)) ?? {};
    await product.run({ name: command.name, args, folder: process.cwd(), given }, terminal);
  } finally {
    product.close();
  }
}

function mustBeStopped({ name }: AdminCommand, { pid }: RunningProduct, { dataDir }: Config): string {
  return `DATA_DIR ${path.resolve(dataDir)} is in use by the running product (process ${pid}). Stop it for ${name}, which needs the store to itself.`;
}

async function runHere(command: AdminCommand, args: string[], config: Config, output: Output): Promise<void> {
  const context = {
    folder: process.cwd(),
    product: null,
    signal: new AbortController().signal,
    print: async (text: string) => output.print(text),
    showProgress: output.showProgress,
  };
  const run = async () => {
    const given = (await command.takeSettings?.(config)) ?? {};
    const text = await command.run(args, { ...context, given });
    if (text) output.print(text);
  };
  try {
    await (worksOnOpenStore(command) ? onStore(command, config, run) : run());
  } catch (error) {
    throw shownError(command, error);
  }
}

/** Runs `work` on the open store. */
async function onStore({ needs }: AdminCommand, config: Config, work: () => Promise<void>): Promise<void> {
  const mayCreate = needs === 'older store';
  const lock = config.databaseUrl ? null : await lockEmbeddedStore(config, mayCreate);
  try {
    await openSecrets(config);
    await openDatabase(config);
    connectModels();
    if (needs !== 'older store') {
      await migrateAtStart(config);
      await checkSecrets();
    }
    await work();
  } finally {
    await closeClickHouse();
    await closeDatabase();
    await lock?.release();
  }
}

/** Locks an existing store only: a wrong DATA_DIR must not create one, other than by the command whose work that is. */
async function lockEmbeddedStore(config: Config, mayCreate: boolean): Promise<{ release(): Promise<void> }> {
  const folder = path.resolve(config.dataDir);
  refuseHalfRestored(folder);
  if (!mayCreate && !existsSync(path.join(folder, 'svc.sqlite'))) {
    throw new Error(
      `There is no store in DATA_DIR ${folder}. Set DATA_DIR, or DATABASE_URL, as for the product itself.`,
    );
  }
  await guardDataDir(folder);
  return lockDataDir(folder).catch((error) => {
    throw error instanceof DataDirInUse ? new DataDirInUse(takesNoCommands(folder)) : error;
  });
}

function takesNoCommands(folder: string): string {
  return `DATA_DIR ${folder} is in use by a process that takes no commands: a product that is starting, stopping or of an earlier version, or another command. Try again in a moment, or stop it.`;
}
