import { inTransaction } from '../db/inTransaction.ts';
import { Op } from '../db/sequelize.ts';
import { now } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import { ApiKey } from '../models/ApiKey.ts';

/** `last_used_at` may be a minute old; half of that leaves room for the write. */
const WRITE_EVERY_MS = 30_000;

const used = new Set<string>();
let timer: NodeJS.Timeout | undefined;

/** Remembers that a key was used; many uses become one write. */
export function noteKeyUse(keyId: string): void {
  used.add(keyId);
  timer ??= setTimeout(() => void writeKeyUse(), WRITE_EVERY_MS).unref();
}

/** Writes what was noted; also called when the process stops. */
export async function writeKeyUse(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const ids = [...used];
  used.clear();
  if (ids.length === 0) return;
  try {
    await inTransaction((transaction) =>
      ApiKey.update({ lastUsedAt: now() }, { where: { id: { [Op.in]: ids } }, silent: true, transaction }),
    );
  } catch (error) {
    log.warn({ err: error }, 'the use of keys could not be noted');
  }
}
