import { announce } from '../db/announce.ts';
import { deleteOldest } from '../db/deleteOldest.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { sealFor } from '../db/sealedColumns.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock, DAY_MS, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { newId } from '../kernel/ids.ts';
import type { Alert } from '../models/Alert.ts';
import { wantsMail } from '../models/alertKinds.ts';
import { Mail } from '../models/Mail.ts';
import { Membership } from '../models/Membership.ts';
import { User } from '../models/User.ts';
import type { MailFacts, MailKind } from './mailFacts.ts';
import { type MailContent, renderLetter } from './renderLetter.ts';
import { TEMPLATES } from './templates.ts';

/** A mail with its recipient; without content it is rendered when it is sent. */
export interface NewMail extends MailRecipient, Partial<MailContent> {
  kind: MailKind;
}

export interface MailRecipient {
  address: string;
  /** Set for alerts and digests only: these are rate-limited by person and can be unsubscribed from. */
  userId?: string;
  /** Unique among mails: a second mail with the same reference is not queued. Names the incident and the recipient. */
  reference: string;
}

/** Renders a mail of this kind from the facts that its template needs. */
export function writeMail<Kind extends MailKind>(
  kind: Kind,
  recipient: MailRecipient,
  facts: MailFacts[Kind],
): NewMail & MailContent {
  return { kind, ...recipient, ...renderLetter(TEMPLATES[kind](facts)) };
}

/** Whether an SMTP server is configured. */
export function isMailConfigured(): boolean {
  return config.smtpUrl !== null;
}

/** Queues mails in the transaction of their cause; a job sends them. Does nothing when SMTP_URL is not set. */
export async function queueMails(transaction: Transaction, mails: NewMail[]): Promise<void> {
  if (!isMailConfigured() || mails.length === 0) return;
  const createdAt = now();
  const rows = mails.map(({ kind, address, userId = null, reference, ...content }) => {
    const id = newId('mail');
    // Sealed because it may hold a token.
    const sealed = 'subject' in content ? sealFor('mailContent', [id], JSON.stringify(content)) : null;
    return { id, kind, address, userId, reference, content: sealed, nextAttemptAt: createdAt, createdAt };
  });
  await Mail.bulkCreate(rows, { ignoreDuplicates: true, transaction });
  await announce(transaction, 'mail', '');
}

/** Queues a mail of a new alert for each team member who wants alerts of its kind, in the transaction of the alert. */
export async function queueAlertMails(transaction: Transaction, alert: Alert): Promise<void> {
  if (!isMailConfigured()) return;
  const members = await Membership.findAll({ where: { teamId: alert.teamId }, transaction });
  const ids = members.filter((member) => wantsMail(member, alert.kind)).map(({ userId }) => userId);
  const users = await User.findAll({ attributes: ['id', 'email'], where: { id: ids }, transaction });
  await queueMails(
    transaction,
    users.map(({ id, email }) => ({
      kind: 'alert',
      address: email,
      userId: id,
      reference: `${alert.id}:${id}`,
    })),
  );
}

/**
 * Deletes up to `batch` mails older than MAIL_RETENTION_DAYS, whether they were sent or not.
 * Returns whether there may be more.
 */
export async function purgeMails(batch: number): Promise<boolean> {
  const values = [sqlTime(clock.now() - config.mailRetentionDays * DAY_MS)];
  const old = { table: 'mails', where: 'created_at < $1', values, oldestBy: 'created_at' };
  return (await deleteOldest({ ...old, batch })) === batch;
}
