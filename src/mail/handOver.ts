import { config } from '../kernel/config.ts';
import { type ClaimedMail, handOverSeconds } from './claimMail.ts';
import { contentOf } from './contentOf.ts';
import { judgeFailure, type SmtpFailure } from './judgeFailure.ts';
import type { HandedOver } from './settleMail.ts';
import type { SmtpPool } from './smtpPool.ts';

/** One address and nothing that a mail program would take for more of them. */
const ADDRESS = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/;

/**
 * Hands one mail to the mail server. A repeat has the same Message-ID, by which mail systems know it again. `isServerAway`:
 * others would fare the same. Never rejects; `signal` ends it.
 */
export async function handOver(
  pool: SmtpPool,
  mail: ClaimedMail,
  signal: AbortSignal,
): Promise<HandedOver & { isServerAway: boolean }> {
  try {
    if (!ADDRESS.test(mail.address)) return refused('That is no address of one person.');
    const content = await contentOf(mail);
    if (!content) return refused('It is not wanted any more.');
    const from = config.mailFrom ?? `svc <no-reply@${ownHost()}>`;
    await pool.sendMail({
      ...content,
      from,
      to: { name: '', address: mail.address },
      messageId: `<${mail.id}@${ownHost()}>`,
      date: mail.createdAt,
      headers: { 'Auto-Submitted': 'auto-generated' },
      xMailer: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(handOverSeconds() * 1000)]),
    });
    return { kind: 'sent', isServerAway: false };
  } catch (error) {
    const failure = error as SmtpFailure;
    const { isFinal, isServerAway } = judgeFailure(failure);
    return { kind: isFinal ? 'refused' : 'later', error: failure.message, isServerAway };
  }
}

function refused(error: string): HandedOver & { isServerAway: boolean } {
  return { kind: 'refused', error, isServerAway: false };
}

function ownHost(): string {
  return new URL(config.baseUrl).hostname;
}
