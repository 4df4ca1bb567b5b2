import { type RowLock, rowLock } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { claimDue, hasDue, type LeasedTable } from '../db/lease.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction, lockRow } from '../db/transactions.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import type { MailKind } from './mailFacts.ts';

/** A mail that this process sends. */
export interface ClaimedMail {
  id: string;
  kind: MailKind;
  address: string;
  reference: string;
  content: string | null;
  /** Including the current one. */
  attempts: number;
  createdAt: Date;
}

/** The time limit for sending one mail, all SMTP steps together: a server that is slow in each must not hold it for ever. */
export function handOverSeconds(): number {
  return 6 * config.mailTimeoutSeconds;
}

/** Time to record the result before another process may claim the mail. */
const MARGIN_SECONDS = 30;

/** `lease_until` is kept as the time of the last attempt, by which the alerts of an hour are counted. */
const LEASES: LeasedTable = {
  table: 'mails',
  key: 'id',
  due: 'next_attempt_at',
  until: 'next_attempt_at',
  leaseMs: () => (handOverSeconds() + MARGIN_SECONDS) * 1000,
};

const HOUR_MS = 3_600_000;

/** Mails that people wait for have no user; alerts have one. */
const WAITED_FOR = 'user_id IS NULL';
const ALERTS = 'user_id IS NOT NULL';

/** Whether a mail is due, or a digest of held alerts. */
export async function hasDueMails(): Promise<boolean> {
  for (const whose of [WAITED_FOR, ALERTS]) if (await findDue(whose)) return true;
  return hasDue(LEASES, { where: "status = 'held'" });
}

/**
 * Claims the mail that has been due longest. Returns null if none is due. Mails that people wait for come before alerts, and
 * alerts beyond MAIL_ALERTS_PER_HOUR of their recipient are held for a digest. Several claims at once get different mails.
 */
export async function claimMail(): Promise<ClaimedMail | null> {
  // Checked outside a transaction first: usually no mail is due, and on SQLite transactions wait for each other.
  if (await findDue(WAITED_FOR)) {
    const mail = await inTransaction(async (transaction) => {
      const due = await findDue(WAITED_FOR, { transaction, lock: 'FOR UPDATE SKIP LOCKED' });
      return due && claim(due, transaction);
    });
    if (mail) return mail;
  }
  for (;;) {
    const next = await findDue(ALERTS);
    if (!next) return null;
    const mail = await inTransaction((transaction) => claimAlert(next.user_id as string, transaction));
    if (mail) return mail;
  }
}

/** Claims the next alert of a person. Null: theirs are held, or another process has claimed it. */
async function claimAlert(userId: string, transaction: Transaction): Promise<ClaimedMail | null> {
  // Two claims must not count the same alerts of a person.
  await lockRow('users', userId, transaction);
  const due = await findDue('user_id = $2', { transaction, values: [userId], lock: 'FOR UPDATE' });
  if (!due) return null;
  return (await isOneTooMany(due, transaction)) ? hold(due, transaction) : claim(due, transaction);
}

interface Due {
  id: string;
  kind: MailKind;
  user_id: string | null;
}

async function findDue(
  where: string,
  { values = [], lock, transaction }: { values?: unknown[]; lock?: RowLock; transaction?: Transaction } = {},
): Promise<Due | null> {
  const [due] = await queryRaw<Due>(
    `SELECT id, kind, user_id FROM mails WHERE status = 'waiting' AND ${where} AND next_attempt_at <= $1
     ORDER BY next_attempt_at, id LIMIT 1 ${lock ? rowLock(lock) : ''}`,
    [sqlTime(clock.now()), ...values],
    transaction,
  );
  return due ?? null;
}

/** Whether the recipient has reached the limit of alerts per hour. Each mail with an attempt counts once, whatever its result. */
async function isOneTooMany({ id, kind, user_id }: Due, transaction: Transaction): Promise<boolean> {
  if (kind !== 'alert') return false;
  const [row] = await queryRaw<{ others: number }>(
    `SELECT COUNT(*) AS others FROM mails WHERE user_id = $1 AND lease_until > $2 AND kind = 'alert' AND id <> $3`,
    [user_id, sqlTime(leaseEnd() - HOUR_MS), id],
    transaction,
  );
  return Number(row?.others) >= config.mailAlertsPerHour;
}

/** Holds all due alerts of the recipient for a digest. */
async function hold({ user_id }: Due, transaction: Transaction): Promise<null> {
  const now = clock.now();
  await queryRaw(
    `UPDATE mails SET status = 'held', next_attempt_at = $2, updated_at = $3
     WHERE user_id = $1 AND status = 'waiting' AND kind = 'alert' AND next_attempt_at <= $3`,
    [user_id, sqlTime(now + config.mailDigestSeconds * 1000), sqlTime(now)],
    transaction,
  );
  return null;
}

/** Null if a process whose lease had expired has just recorded the result. */
async function claim({ id }: Due, transaction: Transaction): Promise<ClaimedMail | null> {
  const [row] = await claimDue<Omit<ClaimedMail, 'id' | 'createdAt'> & { created_at: string | Date }>(LEASES, {
    where: "id = $1 AND status = 'waiting'",
    values: [id],
    limit: 1,
    set: 'attempts = attempts + 1, lease_until = $2, updated_at = $3',
    setValues: [sqlTime(leaseEnd()), sqlTime(clock.now())],
    returning: ['kind', 'address', 'reference', 'content', 'attempts', 'created_at'],
    transaction,
  });
  if (!row) return null;
  const { kind, address, reference, content, attempts, created_at } = row;
  return { id, kind, address, reference, content, attempts, createdAt: new Date(created_at) };
}

/** The end of a lease that begins now, in milliseconds. */
function leaseEnd(): number {
  return clock.now() + LEASES.leaseMs();
}

/** The result of sending a mail. `error` says why it failed and contains no secrets. */
export type HandedOver = { kind: 'sent' } | { kind: 'later'; error: string } | { kind: 'refused'; error: string };

/** Error texts of servers have no limit of their own. */
const MOST_OF_ERROR = 500;

/** Records the result of a mail, unless another process has claimed it in the meantime. The content is deleted with the last attempt. */
export async function recordHandOver(mail: ClaimedMail, result: HandedOver): Promise<void> {
  const error = result.kind === 'sent' ? null : result.error.slice(0, MOST_OF_ERROR);
  const gapSeconds = result.kind === 'later' ? config.mailRetrySeconds[mail.attempts - 1] : undefined;
  const status = result.kind === 'sent' ? 'sent' : gapSeconds === undefined ? 'failed' : 'waiting';
  const nextAt = gapSeconds === undefined ? null : sqlTime(clock.now() + spread(gapSeconds) * 1000);
  const sentAt = status === 'sent' ? sqlTime(clock.now()) : null;
  await inTransaction((transaction) =>
    queryRaw(
      `UPDATE mails SET status = $3, next_attempt_at = $4, sent_at = $5, error = $6, updated_at = $7,
         content = ${status === 'waiting' ? 'content' : 'NULL'}
       WHERE id = $1 AND attempts = $2 AND status = 'waiting'`,
      [mail.id, mail.attempts, status, nextAt, sentAt, error, sqlTime(clock.now())],
      transaction,
    ),
  );
  const line = { mail: mail.id, kind: mail.kind, reference: mail.reference, attempt: mail.attempts };
  if (status === 'sent') log.info(line, 'mail sent');
  else if (status === 'waiting') log.warn({ ...line, error }, 'could not send a mail; will retry');
  else log.error({ ...line, error }, 'gave up on a mail');
}

/** Up to a tenth more or less, so that mails that failed together are not retried together. */
function spread(seconds: number): number {
  return seconds * (0.9 + Math.random() * 0.2);
}
