import { newUuid } from './newUuid.ts';
import type { Store } from './Store.ts';

const KEY = 'install_id';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The UUID of this install: made once and kept. */
export class Install {
  private known: Promise<string> | undefined;

  constructor(private readonly store: Store) {}

  id(): Promise<string> {
    // Two clients that start at the same time are one install.
    this.known = this.known || this.store.exclusive(KEY, () => this.find());
    return this.known;
  }

  async forget(): Promise<void> {
    this.known = undefined;
    await this.store.write(KEY, null);
  }

  private async find(): Promise<string> {
    const kept = await this.store.read(KEY);
    if (kept && UUID.test(kept)) return kept;
    const made = newUuid();
    // What could not be read may still be there, and is not overwritten.
    if (kept !== undefined) await this.store.write(KEY, made);
    return made;
  }
}
