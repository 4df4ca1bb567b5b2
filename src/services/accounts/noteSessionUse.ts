import { inTransaction } from '../../db/inTransaction.ts';
import { now } from '../../kernel/clock.ts';
import { log } from '../../kernel/log.ts';
import { Session } from '../../models/Session.ts';

/** What is shown of a session's last use is at most this old, and it is written no more often. */
const WRITE_EVERY_MS = 60_000;

/** Being written by this process. */
const writing = new Set<string>();

/** Remembers that a session is used, beside the request that uses it. */
export function noteSessionUse({ tokenHash, lastUsedAt }: Session): void {
  // A clock that was set back must not keep it from being written.
  const isFresh = lastUsedAt !== null && Math.abs(now().getTime() - lastUsedAt.getTime()) < WRITE_EVERY_MS;
  if (isFresh || writing.has(tokenHash)) return;
  writing.add(tokenHash);
  void write(tokenHash).finally(() => writing.delete(tokenHash));
}

async function write(tokenHash: string): Promise<void> {
  try {
    await inTransaction((transaction) =>
      Session.update({ lastUsedAt: now() }, { where: { tokenHash }, silent: true, transaction }),
    );
  } catch (error) {
    log.warn({ err: error }, 'the use of a session could not be noted');
  }
}
