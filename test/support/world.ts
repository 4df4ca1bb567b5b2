import { loadConfig } from '../../src/kernel/config.ts';
import { log } from '../../src/kernel/log.ts';
import { startProduct } from '../../src/product.ts';
import type { FirstAccount } from '../../src/services/accounts/firstStart.ts';
import { type Api, apiOf } from './api.ts';
import { makeStore } from './stores.ts';

/** A product of its own on an empty store, with the account of its first start. */
export interface World extends FirstAccount {
  origin: string;
  /** REST with the first secret key. */
  api: Api;
  dataDir: string;
  /** Stops the product and starts it anew, on the same store and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Settings that make time short; a test file may say others. */
const QUICK = {
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  PORT: '0',
  HOST: '127.0.0.1',
  ALLOW_PRIVATE_TARGETS: 'true',
  CLICK_DRAIN_MILLISECONDS: '50',
  TRAFFIC_COLLECT_SECONDS: '1',
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000',
  HEALTH_RUN_PAUSE_SECONDS: '0',
  DOMAIN_LOOK_PAUSE_MILLISECONDS: '0',
  OWNER_PASSWORD: 'the password of tests',
  APP_STORE_URL: 'none',
  PLAY_STORE_URL: 'none',
};

/** Starts the product in this process, on a free port. One at a time in a process: stores and settings are its own. */
export async function startWorld(settings: Record<string, string> = {}): Promise<World> {
  const store = await makeStore();
  const env = { ...QUICK, ...store.env, ...settings };
  log.level = loadConfig(env).logLevel;
  let account: FirstAccount | undefined;
  let product = await startProduct({
    onFirstStart: (made) => {
      account = made;
    },
  });
  if (!account) throw new Error('The store was not empty');
  const origin = `http://127.0.0.1:${product.port}`;
  return {
    ...account,
    origin,
    api: apiOf(origin, account.secretKey),
    dataDir: store.dataDir,
    async restart() {
      const { port } = product;
      await product.stop();
      loadConfig({ ...env, PORT: String(port) });
      product = await startProduct();
    },
    async stop() {
      await product.stop();
      await store.remove();
    },
  };
}
