import { startProduct } from '../../app/product.ts';
import type { FirstAccount } from '../../src/accounts/firstStart.ts';
import { insertTeam } from '../../src/accounts/newTeam.ts';
import { inTransaction } from '../../src/db/transactions.ts';
import { clock } from '../../src/kernel/clock.ts';
import { type Config, config, loadConfig } from '../../src/kernel/config.ts';
import { newId } from '../../src/kernel/ids.ts';
import { log } from '../../src/kernel/log.ts';
import { hashPassword } from '../../src/kernel/passwords.ts';
import { User } from '../../src/models/User.ts';
import { Webhook } from '../../src/models/Webhook.ts';
import { insertKey } from '../../src/projects/keyService.ts';
import { type Api, apiOf } from './api.ts';
import { freeStore, holdStore, makeStore, type Store } from './stores.ts';

/** A product that runs, and an account in it like that of the first start. */
export interface World extends FirstAccount {
  origin: string;
  /** REST with the first secret key. */
  api: Api;
  stop(): Promise<void>;
}

/** A product of its own on an empty store. */
export interface OwnWorld extends World {
  dataDir: string;
  /** Stops the product and starts it anew, on the same store and port. */
  restart(): Promise<void>;
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
  RATE_LIMIT_ROWS_PER_MINUTE: '1000000000',
  RATE_LIMIT_SESSION_PER_MINUTE: '1000000',
  HEALTH_RUN_PAUSE_SECONDS: '0',
  DOMAIN_CHECK_PAUSE_MILLISECONDS: '0',
  OWNER_PASSWORD: 'the password of tests',
  APP_STORE_URL: 'none',
  PLAY_STORE_URL: 'none',
};

/** All people of all test files that share a product sign up from one address. */
const SHARED = { SIGN_UPS_PER_HOUR: '1000' };

/** Of a world whose visitors and apps come from wherever they say, as often as they like. */
export const SDK_SETTINGS = {
  TRUSTED_PROXIES: '127.0.0.1',
  SCANNER_BURST_LINKS: '0',
  RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '1000000',
  RATE_LIMIT_PUBLISHABLE_ADDRESS_PER_MINUTE: '1000000',
  RATE_LIMIT_INSTALL_PER_MINUTE: '1000000',
  RATE_LIMIT_EVENTS_PER_MINUTE: '1000000',
  RATE_LIMIT_ADDRESS_EVENTS_PER_MINUTE: '1000000',
};

/**
 * Starts the product in this process, on a free port. One at a time in a process: stores and settings are its own. `settingsFor`
 * makes settings that depend on the store.
 */
export async function startWorld(
  settings: Record<string, string> = {},
  settingsFor: (store: Store) => Promise<Record<string, string>> = async () => ({}),
): Promise<OwnWorld> {
  const store = await makeStore();
  const env = { ...QUICK, ...store.env, ...settings, ...(await settingsFor(store)) };
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

/** The world of `joinWorld` for the tests of this block: before them it is filled, and after them it stops. */
export function useWorld(settings?: Record<string, string>): World {
  return filled(() => joinWorld(settings));
}

/** The world of `startWorld` for the tests of this block: before them it is filled, and after them it stops. */
export function useOwnWorld(settings?: Record<string, string>): OwnWorld {
  return filled(() => startWorld(settings));
}

/**
 * Changes settings of the product that runs, for the tests of this block. It must stand below the world of the block. What
 * the product reads at its start alone, such as addresses and pauses of its jobs, needs a world with such settings.
 */
export function useSettings(settings: Partial<Config>): void {
  let earlier: Config;
  before(() => {
    earlier = { ...config };
    Object.assign(config, settings);
  });
  after(() => Object.assign(config, earlier));
}

function filled<Kind extends World>(start: () => Promise<Kind>): Kind {
  const world = {} as Kind;
  before(async () => {
    Object.assign(world, await start());
  });
  after(() => world.stop());
  return world;
}

let shared: { settings: string; world: Promise<World> } | null = null;

/**
 * A team of its own, as the first start makes one, in the product that this process shares among its test files: starting
 * one costs about a second. For tests that look at their own team alone. Visitors and apps come from wherever they say.
 * Other settings are another product, so npm test runs files with the same ones one after another.
 */
export async function joinWorld(settings: Record<string, string> = {}): Promise<World> {
  const wanted = JSON.stringify(settings);
  if (shared?.settings !== wanted) {
    await freeStore();
    shared = { settings: wanted, world: startWorld({ ...SHARED, ...SDK_SETTINGS, ...settings }) };
    const { world } = shared;
    await world;
    holdStore(async () => {
      shared = null;
      await (await world).stop();
    });
  }
  const { origin } = await shared.world;
  const account = await insertAccount();
  return {
    ...account,
    origin,
    api: apiOf(origin, account.secretKey),
    async stop() {
      clock.reset();
      // Their receivers are gone: nothing shall be tried again and again beside the tests of others.
      await inTransaction((transaction) => Webhook.destroy({ where: {}, transaction }));
    },
  };
}

async function insertAccount(): Promise<FirstAccount> {
  const email = `owner-${newId('usr')}@example.com`;
  const passwordHash = await hashPassword(QUICK.OWNER_PASSWORD);
  return inTransaction(async (transaction) => {
    const user = await User.create({ id: newId('usr'), email, passwordHash }, { transaction });
    const { project } = await insertTeam({ name: 'My team', ownerId: user.id, hasNoLimits: true }, transaction);
    const owned = { projectId: project.id, createdBy: user.id };
    const secret = await insertKey({ ...owned, name: 'First secret key', kind: 'secret', scopes: ['*'] }, transaction);
    const publishable = await insertKey({ ...owned, name: 'First publishable key', kind: 'publishable' }, transaction);
    return { email, password: QUICK.OWNER_PASSWORD, secretKey: secret.key, publishableKey: publishable.key };
  });
}
