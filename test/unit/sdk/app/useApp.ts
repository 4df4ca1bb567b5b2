import { init, type SvcClient, type SvcError, type SvcOptions, type SvcStorage } from '../../../../sdk/app/index.ts';
import { AppServer } from './AppServer.ts';
import { ManualTimers } from './ManualTimers.ts';

export const KEY = 'pk_live_tests';
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What an app keeps between two starts, to be looked into. */
export class Shelf implements SvcStorage {
  readonly items = new Map<string, string>();
  getItem(key: string): string | null | Promise<string | null> {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string): unknown {
    return this.items.set(key, value);
  }
  removeItem(key: string): unknown {
    return this.items.delete(key);
  }
}

/** Answers when others have had their turn, as AsyncStorage does. */
export class SlowShelf extends Shelf {
  override async getItem(key: string): Promise<string | null> {
    await new Promise(setImmediate);
    return super.getItem(key);
  }
  override async setItem(key: string, value: string): Promise<void> {
    await new Promise(setImmediate);
    super.setItem(key, value);
  }
  override async removeItem(key: string): Promise<void> {
    await new Promise(setImmediate);
    super.removeItem(key);
  }
}

/** For the tests of a describe: a server, timers that go by hand, and clients that end with their test. */
export function useApp() {
  const server = new AppServer();
  const timers = new ManualTimers();
  const errors: SvcError[] = [];
  let clients: SvcClient[] = [];

  before(() => server.start());
  after(() => server.stop());
  beforeEach(() => {
    server.forget();
    errors.length = 0;
    timers.start();
  });
  afterEach(() => {
    for (const client of clients) client.close();
    clients = [];
    timers.stop();
  });

  return {
    server,
    timers,
    errors,
    codes: () => errors.map(({ code }) => code),
    /** A start of the app; what is not said is as in an app on a phone. */
    start(options: Partial<SvcOptions> = {}): SvcClient {
      const onError = (error: SvcError) => errors.push(error);
      const client = init({ url: server.origin, key: KEY, platform: 'ios', storage: new Shelf(), onError, ...options });
      clients.push(client);
      return client;
    },
  };
}
