import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { lockNames } from '../db/lockNames.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import type { MailKind } from './templates.ts';

/** A mail that this process hands over. */
export interface ClaimedMail {
  id: string;
  kind: MailKind;
  address: string;
  reference: string;
  content: string | null;
  /** With this one. */
  attempts: number;
  createdAt: Date;
}

/** For all steps of handing over one mail together: a server that takes its time in each must not keep it for ever. */
export function handOverSeconds(): number {
  return 6 * config.mailTimeoutSeconds;
}

/** Time to write down what came of it before others may think that we died. */
const MARGIN_SECONDS = 30;

const HOUR_MS = 3_600_000;

/**
 * The mail that has been due for longest, for this process until its lease ends; null when none is due. Alerts come after
 * what people wait for, and those beyond MAIL_ALERTS_PER_HOUR of their person are held back.
 */
export async function claimMail(): Promise<ClaimedMail | null> {
  // Asked outside a transaction first: mostly there is none, and on SQLite transactions wait for each other.
  if (!(await findDue())) return null;
  return inTransaction(async (transaction) => {
    // One at a time, so that two never count the same alerts of a person. Short: nothing else happens in here.
    await lockNames(['claiming mails'], transaction);
    for (;;) {
      const due = await findDue(transaction);
      if (!due) return null;
      const claimed = (await isOneTooMany(due, transaction))
        ? await hold(due, transaction)
        : await take(due, transaction);
      if (claimed) return claimed;
    }
  });
}

interface Due {
  id: string;
  kind: MailKind;
  user_id: string | null;
}

async function findDue(transaction?: Transaction): Promise<Due | null> {
  for (const whose of ['IS NULL', 'IS NOT NULL']) {
    const [due] = await selectBound<Due>(
      `SELECT id, kind, user_id FROM mails
       WHERE status = 'waiting' AND user_id ${whose} AND next_attempt_at <= $1 ORDER BY next_attempt_at, id LIMIT 1`,
      [sqlTime(clock.now())],
      transaction,
    );
    if (due) return due;
  }
  return null;
}

/** Whether their person got enough others within an hour; an attempt counts, whatever came of it, and repeats as one. */
async function isOneTooMany({ id, kind, user_id }: Due, transaction: Transaction): Promise<boolean> {
  if (kind !== 'alert') return false;
  const [row] = await selectBound<{ others: number }>(
    `SELECT COUNT(*) AS others FROM mails WHERE user_id = $1 AND lease_until > $2 AND kind = 'alert' AND id <> $3`,
    [user_id, sqlTime(leaseEnd() - HOUR_MS), id],
    transaction,
  );
  return Number(row?.others) >= config.mailAlertsPerHour;
}

/** All of that person that are due, to be told together. */
async function hold({ user_id }: Due, transaction: Transaction): Promise<null> {
  const now = clock.now();
  await selectBound(
    `UPDATE mails SET status = 'held', next_attempt_at = $2, updated_at = $3
     WHERE user_id = $1 AND status = 'waiting' AND kind = 'alert' AND next_attempt_at <= $3`,
    [user_id, sqlTime(now + config.mailDigestSeconds * 1000), sqlTime(now)],
    transaction,
  );
  return null;
}

/** Null when somebody whose lease had ended has written down just now what came of it. */
async function take({ id }: Due, transaction: Transaction): Promise<ClaimedMail | null> {
  const [row] = await selectBound<Omit<ClaimedMail, 'createdAt'> & { created_at: string | Date }>(
    `UPDATE mails SET attempts = attempts + 1, lease_until = $2, next_attempt_at = $2, updated_at = $3
     WHERE id = $1 AND status = 'waiting' AND next_attempt_at <= $3
     RETURNING id, kind, address, reference, content, attempts, created_at`,
    [id, sqlTime(leaseEnd()), sqlTime(clock.now())],
    transaction,
  );
  if (!row) return null;
  const { created_at, ...mail } = row;
  return { ...mail, createdAt: new Date(created_at) };
}

/** By the clock of the product, in milliseconds. */
function leaseEnd(): number {
  return clock.now() + (handOverSeconds() + MARGIN_SECONDS) * 1000;
}
