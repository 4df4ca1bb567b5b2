import { exclusive } from './exclusive.ts';
import { host } from './host.ts';
import { SvcError } from './SvcError.ts';
import type { SvcStorage } from './types.ts';

/** A storage that does not answer would keep the app from starting. */
const PATIENCE_MS = 5000;

/** A storage that never throws and always answers. What it does not take, its users keep in memory. */
export class Store {
  private readonly storage: SvcStorage;
  private hasFailed = false;

  constructor(
    given: SvcStorage | undefined,
    private readonly name: string,
    private readonly tell: (error: SvcError) => void,
  ) {
    this.storage = given || localStorageOfHost() || memory();
  }

  /** undefined: it cannot be read, so that nobody knows what is there. */
  read(key: string): Promise<string | null | undefined> {
    return this.ask(async (storage, name) => {
      const value = await storage.getItem(name);
      return typeof value === 'string' ? value : null;
    }, key);
  }

  /** Gives whether it is written down; null removes. */
  async write(key: string, value: string | null): Promise<boolean> {
    const done = await this.ask(async (storage, name) => {
      await (value === null ? storage.removeItem(name) : storage.setItem(name, value));
      return true;
    }, key);
    return done === true;
  }

  /** Does the jobs of a name one after another, those of other clients on the same storage among them. */
  exclusive<Result>(name: string, job: () => Promise<Result>): Promise<Result> {
    return exclusive(this.storage, `${this.name}.${name}`, job);
  }

  private async ask<Answer>(
    question: (storage: SvcStorage, name: string) => Promise<Answer>,
    key: string,
  ): Promise<Answer | undefined> {
    let timer: unknown;
    const silence = new Promise<never>((_, reject) => {
      timer = host.setTimeout(() => reject(new Error('It does not answer.')), PATIENCE_MS);
    });
    try {
      return await Promise.race([question(this.storage, `${this.name}.${key}`), silence]);
    } catch (error) {
      if (!this.hasFailed) this.tell(new SvcError('storage_failed', `The storage failed: ${error}`));
      this.hasFailed = true;
      return undefined;
    } finally {
      host.clearTimeout(timer);
    }
  }
}

function localStorageOfHost(): SvcStorage | undefined {
  try {
    return host.localStorage;
  } catch {
    return undefined;
  }
}

function memory(): SvcStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key),
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
  };
}
