import { QueryTypes, type Transaction } from 'sequelize';
import { signals, type Topic } from '../kernel/signals.ts';
import { database, dialect } from './database.ts';

/** PostgreSQL channel that carries `<process>|<topic>|<payload>`, of several payloads one a line. */
export const CHANNEL = 'svc_announcements';

/** Tells this process from the others, whose announcements it must act on. */
export const PROCESS_MARK = Math.random().toString(36).slice(2);

/** PostgreSQL takes 8,000 bytes with a notification. */
const MAX_BYTES = 7000;

/** Tells every process, once `transaction` has committed; nothing is told when it rolls back. */
export async function announce(transaction: Transaction, topic: Topic, ...payloads: string[]): Promise<void> {
  transaction.afterCommit(() => {
    for (const payload of payloads) signals.emit(topic, payload);
  });
  if (dialect() !== 'postgres') return;
  for (const lines of packed(payloads)) {
    await database().query('SELECT pg_notify(:channel, :message)', {
      type: QueryTypes.SELECT,
      replacements: { channel: CHANNEL, message: `${PROCESS_MARK}|${topic}|${lines}` },
      transaction,
    });
  }
}

/** Payloads as lines, as many in one notification as it takes. */
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
