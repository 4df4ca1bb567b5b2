import type { Transaction } from 'sequelize';
import { signals, type Topic } from '../kernel/signals.ts';
import { isStoreShared } from './connection/database.ts';
import { queryPrepared } from './query.ts';

/** PostgreSQL channel whose messages are `<process>|<topic>|<payload>`; several payloads are separated by line breaks. */
export const CHANNEL = 'svc_announcements';

/** Identifies this process, which ignores its own messages on the channel. */
export const PROCESS_MARK = Math.random().toString(36).slice(2);

/** PostgreSQL limits the payload of a notification to 8,000 bytes. */
const MAX_BYTES = 7000;

type Announcements = Map<Topic, Set<string>>;

/** What open transactions announce when they commit. */
const collected = new WeakMap<Transaction, Announcements>();

/** Announces the payloads to every process when `transaction` commits, once each; announces nothing when it rolls back. */
export async function announce(transaction: Transaction, topic: Topic, ...payloads: string[]): Promise<void> {
  const announcements = collected.get(transaction) ?? collect(transaction);
  const known = announcements.get(topic) ?? new Set();
  announcements.set(topic, known);
  for (const payload of payloads) known.add(payload);
}

/**
 * Sends to the other processes what `transaction` announces, in one statement: PostgreSQL delivers it with the commit,
 * which comes next. What is announced after this reaches this process alone.
 */
export async function sendAnnouncements(transaction: Transaction): Promise<void> {
  const announcements = collected.get(transaction);
  if (!announcements || !isStoreShared()) return;
  const messages = [...announcements].flatMap(([topic, payloads]) =>
    packed([...payloads]).map((lines) => `${PROCESS_MARK}|${topic}|${lines}`),
  );
  if (messages.length === 0) return;
  const sql = 'SELECT pg_notify($1, message) FROM unnest(CAST($2 AS TEXT[])) AS listed(message)';
  await queryPrepared(sql, [CHANNEL, messages], transaction);
}

function collect(transaction: Transaction): Announcements {
  const announcements: Announcements = new Map();
  collected.set(transaction, announcements);
  transaction.afterCommit(() => {
    for (const [topic, payloads] of announcements) for (const payload of payloads) signals.emit(topic, payload);
  });
  return announcements;
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
