import { closeDatabase, openDatabase } from '../../src/db/connection/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { loadConfig } from '../../src/kernel/config.ts';
import { log } from '../../src/kernel/log.ts';
import { keepNewKey, openSecrets } from '../../src/kernel/secrets.ts';
import { connectModels } from '../../src/models/index.ts';
import { makeStore } from './stores.ts';

/** An open store with all tables, and nothing else of the product. */
export interface OpenStore {
  dataDir: string;
  /** As if the store went away and came back, with everything in it. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** Opens an empty store of the profile in force. One at a time in a process. */
export async function openStore(settings: Record<string, string> = {}): Promise<OpenStore> {
  const store = await makeStore({ hasJobs: false });
  const config = loadConfig({ LOG_LEVEL: 'silent', ...store.env, ...settings });
  log.level = config.logLevel;
  const comeBack = async () => {
    await openDatabase(config);
    connectModels();
  };
  await openSecrets(config);
  await keepNewKey();
  await comeBack();
  await migrate();
  return {
    dataDir: store.dataDir,
    goAway: closeDatabase,
    comeBack,
    async close() {
      await closeDatabase();
      await store.remove();
      loadConfig({ LOG_LEVEL: 'silent' });
    },
  };
}
