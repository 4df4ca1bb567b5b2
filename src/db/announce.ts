import { QueryTypes, type Transaction } from 'sequelize';
import { signals, type Topic } from '../kernel/signals.ts';
import { database, isStoreShared } from './connection/database.ts';

/** PostgreSQL channel whose messages are `<process>|<topic>|<payload>`; several payloads are separated by line breaks. */
export const CHANNEL = 'svc_announcements';

/** Identifies this process, which ignores its own messages on the channel. */
export const PROCESS_MARK = Math.random().toString(36).slice(2);

/** PostgreSQL limits the payload of a notification to 8,000 bytes. */
const MAX_BYTES = 7000;

/** Announces the payloads to every process when `transaction` commits; announces nothing when it rolls back. */
export async function announce(transaction: Transaction, topic: Topic, ...payloads: string[]): Promise<void> {
  transaction.afterCommit(() => {
    for (const payload of payloads) signals.emit(topic, payload);
  });
  if (!isStoreShared()) return;
  for (const lines of packed(payloads)) {
    await database().query('SELECT pg_notify(:channel, :message)', {
      type: QueryTypes.SELECT,
      replacements: { channel: CHANNEL, message: `${PROCESS_MARK}|${topic}|${lines}` },
      transaction,
    });
  }
}

/** The payloads as lines, combined into as few notifications as possible. */
function packed(payloads: string[]): string[] {
  const packs: string[] = [];
  for (const payload of payloads) {
    const last = packs.at(-1);
    const joined = last === undefined ? payload : `${last}\n${payload}`;
    if (last !== undefined && Buffer.byteLength(joined) <= MAX_BYTES) packs[packs.length - 1] = joined;
    else packs.push(payload);
  }
  return packs;
}
