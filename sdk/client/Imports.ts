import { ImportsApi } from './operations.ts';
import type { CallOptions, FileBody, Idempotent, Rehearsed } from './request.ts';
import { sleep } from './sleep.ts';
import type { Import, StartImportQuery } from './types.ts';

export interface FinishedOptions extends CallOptions {
  /** Told after each look: `counts` and `rows` say how far it is. */
  onProgress?: ((state: Import) => void) | undefined;
}

/** An import that runs, and may be waited for. */
export type StartedImport = Import & {
  /** Its state when it is finished, failed or cancelled. */
  finished(options?: FinishedOptions): Promise<Import>;
};

/** Half a second after the start it is looked at first, and then in gaps that grow to ten seconds. */
const FIRST_GAP_MS = 500;
const LONGEST_GAP_MS = 10_000;
const GROWTH = 1.5;

export class Imports extends ImportsApi {
  /** See the method that this extends: here the answer can be waited for. */
  override async start(
    body: FileBody,
    query?: StartImportQuery,
    options?: CallOptions & Idempotent & Rehearsed,
  ): Promise<StartedImport> {
    const started = await super.start(body, query, options);
    const finished = (how?: FinishedOptions) => this.finished(started.id, how);
    return Object.defineProperty(started, 'finished', { value: finished }) as StartedImport;
  }

  /** Waits for an import, and gives its state when it is finished, failed or cancelled. */
  async finished(id: string, { onProgress, ...options }: FinishedOptions = {}): Promise<Import> {
    for (let gapMs = FIRST_GAP_MS; ; gapMs = Math.min(LONGEST_GAP_MS, gapMs * GROWTH)) {
      await sleep(gapMs, options.signal);
      const state = await this.get(id, options);
      onProgress?.(state);
      if (state.status !== 'pending' && state.status !== 'running') return state;
    }
  }
}
