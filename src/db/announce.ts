import { QueryTypes, type Transaction } from 'sequelize';
import { signals, type Topic } from '../kernel/signals.ts';
import { database, dialect } from './database.ts';

/** PostgreSQL channel that carries `<process>|<topic>|<payload>`. */
export const CHANNEL = 'svc_announcements';

/** Tells this process from the others, whose announcements it must act on. */
export const PROCESS_MARK = Math.random().toString(36).slice(2);

/** Tells every process, once `transaction` has committed; nothing is told when it rolls back. */
export async function announce(transaction: Transaction, topic: Topic, payload: string): Promise<void> {
  transaction.afterCommit(() => signals.emit(topic, payload));
  if (dialect() !== 'postgres') return;
  await database().query('SELECT pg_notify(:channel, :message)', {
    type: QueryTypes.SELECT,
    replacements: { channel: CHANNEL, message: `${PROCESS_MARK}|${topic}|${payload}` },
    transaction,
  });
}
