import { announce } from '../db/announce.ts';
import { sealFor } from '../db/sealedColumns.ts';
import type { Transaction } from '../db/sequelize.ts';
import { now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { newId } from '../kernel/ids.ts';
import { Mail } from '../models/Mail.ts';
import type { MailKind } from './templates.ts';

/** A mail as people read it. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

export interface NewMail extends MailContent, MailAddressing {}

/** Whom a mail is for. */
export interface MailAddressing {
  kind: MailKind;
  address: string;
  /** Of alerts alone. */
  userId?: string;
  /** Names the incident and whom it is for: a second mail with the same is left out. */
  reference: string;
}

/** Whether mail can be sent at all. */
export function isMailSet(): boolean {
  return config.smtpUrl !== null;
}

/**
 * Writes mails in the transaction of their cause; jobs hand them over. Nothing is written without SMTP_URL. Those without
 * content are written when they are sent.
 */
export async function queueMails(transaction: Transaction, mails: (NewMail | MailAddressing)[]): Promise<void> {
  if (!isMailSet() || mails.length === 0) return;
  const createdAt = now();
  const rows = mails.map(({ kind, address, userId = null, reference, ...content }) => {
    const id = newId('mail');
    const sealed = 'subject' in content ? sealFor('mailContent', [id], JSON.stringify(content)) : null;
    return { id, kind, address, userId, reference, content: sealed, nextAttemptAt: createdAt, createdAt };
  });
  await Mail.bulkCreate(rows, { ignoreDuplicates: true, transaction });
  await announce(transaction, 'mail', '');
}
