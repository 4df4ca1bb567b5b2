import { existsSync } from 'node:fs';
import path from 'node:path';
import { startFault } from '../src/app/startFault.ts';
import { checkSecrets } from '../src/db/checkSecrets.ts';
import { closeDatabase, openDatabase } from '../src/db/connection/database.ts';
import { guardDataDir, lockDataDir, refuseHalfRestored } from '../src/db/dataDir.ts';
import { migrateAtStart } from '../src/db/migrate.ts';
import { config, loadConfig, readEnvFile } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { openSecrets } from '../src/kernel/secrets.ts';
import { connectModels } from '../src/models/index.ts';
import { type AdminCommand, WrongArguments } from './adminCommands/AdminCommand.ts';
import { ACCOUNT_COMMANDS } from './adminCommands/accounts.ts';
import { BACKUP_COMMANDS } from './adminCommands/backups.ts';
import { JOB_COMMANDS } from './adminCommands/jobs.ts';
import { JOURNAL_COMMANDS } from './adminCommands/journals.ts';
import { LINK_COMMANDS } from './adminCommands/links.ts';
import { MIGRATION_COMMANDS } from './adminCommands/migrations.ts';
import { SECRET_COMMANDS } from './adminCommands/secrets.ts';
import { TEAM_COMMANDS } from './adminCommands/teams.ts';

/** All commands. */
const COMMANDS: AdminCommand[] = [
  ...ACCOUNT_COMMANDS,
  ...TEAM_COMMANDS,
  ...LINK_COMMANDS,
  ...SECRET_COMMANDS,
  ...JOB_COMMANDS,
  ...BACKUP_COMMANDS,
  ...JOURNAL_COMMANDS,
  ...MIGRATION_COMMANDS,
];

/** Runs one command for operators. With the embedded store, the product must be stopped meanwhile. */
async function main([name, ...args]: string[]): Promise<void> {
  const command = COMMANDS.find((known) => known.name === name);
  if (!command) throw new Error(usageOf(COMMANDS));
  readEnvFile();
  loadConfig();
  // Only the result is printed.
  log.level = 'error';
  try {
    if (command.needs === 'settings') await print(command, args);
    else await onStore(command, () => print(command, args));
  } catch (error) {
    throw error instanceof WrongArguments ? new Error(usageOf([command])) : error;
  }
}

async function print(command: AdminCommand, args: string[]): Promise<void> {
  process.stdout.write(`${await command.run(args)}\n`);
}

/** Runs `work` on the open store. */
async function onStore({ needs }: AdminCommand, work: () => Promise<void>): Promise<void> {
  const mayCreate = needs === 'older store';
  const lock = config.databaseUrl ? null : await lockEmbeddedStore(mayCreate);
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
    await closeDatabase();
    await lock?.release();
  }
}

/** Locks an existing store only: a wrong DATA_DIR must not create one, other than by the command whose work that is. */
async function lockEmbeddedStore(mayCreate: boolean): Promise<{ release(): Promise<void> }> {
  const folder = path.resolve(config.dataDir);
  refuseHalfRestored(folder);
  if (!mayCreate && !existsSync(path.join(folder, 'svc.sqlite'))) {
    throw new Error(
      `There is no store in DATA_DIR ${folder}. Set DATA_DIR, or DATABASE_URL, as for the product itself.`,
    );
  }
  await guardDataDir(folder);
  return lockDataDir(folder);
}

function usageOf(commands: AdminCommand[]): string {
  const lines = commands.map(
    ({ name, usage, about }) => `  npm run admin -- ${`${name} ${usage}`.trim()}\n      ${about}`,
  );
  return `Usage:\n${lines.join('\n')}`;
}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${startFault(error) ?? error.message}\n`);
  process.exitCode = 1;
});
