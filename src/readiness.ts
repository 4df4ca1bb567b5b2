import { select } from './db/database.ts';
import { hasAnsweredWithin } from './db/listen.ts';
import { within } from './kernel/deadline.ts';

/** Whoever asks wants to know about now. */
const PATIENCE_MS = 900;

interface Parts {
  isStopping(): boolean;
  /** Whether there is work that needs no store. */
  worksWithoutStore(): boolean;
}

/** Whether the process can do its work now; what is wrong otherwise. Tells within a second, whatever the store does. */
export function readiness({ isStopping, worksWithoutStore }: Parts): () => Promise<string | null> {
  let asking: Promise<unknown> | null = null;
  const ask = () => {
    asking ??= select('SELECT 1 AS one').finally(() => {
      asking = null;
    });
    return asking;
  };
  return async () => {
    if (isStopping()) return 'The process is being stopped.';
    if (worksWithoutStore()) return null;
    try {
      await within(ask(), PATIENCE_MS, () => new Error('late'));
      return null;
    } catch {
      // All connections may be busy with long questions.
      return hasAnsweredWithin(PATIENCE_MS) ? null : 'The store cannot be reached.';
    }
  };
}
