import { closeDatabase, openDatabase } from '../src/db/database.ts';
import { lockDataDir } from '../src/db/dataDirLock.ts';
import { migrate } from '../src/db/migrate.ts';
import { config, loadConfig, readEnvFile } from '../src/kernel/config.ts';
import { connectModels } from '../src/models/index.ts';
import { resetOwner } from '../src/services/accounts/firstStart.ts';

const USAGE =
  'npm run admin -- reset-owner    gives the owner a new password (OWNER_PASSWORD, or one is made) and prints it';

/** What an operator does beside the running product. On the embedded store, the product must be stopped meanwhile. */
async function main(command: string | undefined): Promise<void> {
  if (command !== 'reset-owner') throw new Error(`Usage:\n  ${USAGE}`);
  readEnvFile();
  loadConfig();
  const lock = config.databaseUrl ? null : await lockDataDir(config.dataDir);
  await openDatabase(config);
  connectModels();
  await migrate();
  const { email, password } = await resetOwner(config.ownerPassword ?? undefined);
  process.stdout.write(`\n  E-mail    ${email}\n  Password  ${password}\n\nEvery session of this user has ended.\n`);
  await closeDatabase();
  await lock?.release();
}

main(process.argv[2]).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
