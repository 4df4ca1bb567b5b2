import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import type { ClaimedMail } from './claimMail.ts';

/** What came of handing over a mail. `error`: why not, in words that hold no secret. */
export type HandedOver = { kind: 'sent' } | { kind: 'later'; error: string } | { kind: 'refused'; error: string };

/** Servers answer in as many words as they like. */
const MOST_OF_ERROR = 500;

/** Writes down what came of a mail, if nobody else has taken it meanwhile; its content goes with the end of trying. */
export async function settleMail(mail: ClaimedMail, result: HandedOver): Promise<void> {
  const error = result.kind === 'sent' ? null : result.error.slice(0, MOST_OF_ERROR);
  const gapSeconds = result.kind === 'later' ? config.mailRetrySeconds[mail.attempts - 1] : undefined;
  const status = result.kind === 'sent' ? 'sent' : gapSeconds === undefined ? 'failed' : 'waiting';
  const nextAt = gapSeconds === undefined ? null : sqlTime(clock.now() + spread(gapSeconds) * 1000);
  const sentAt = status === 'sent' ? sqlTime(clock.now()) : null;
  await inTransaction((transaction) =>
    selectBound(
      `UPDATE mails SET status = $3, next_attempt_at = $4, sent_at = $5, error = $6, updated_at = $7,
         content = ${status === 'waiting' ? 'content' : 'NULL'}
       WHERE id = $1 AND attempts = $2 AND status = 'waiting'`,
      [mail.id, mail.attempts, status, nextAt, sentAt, error, sqlTime(clock.now())],
      transaction,
    ),
  );
  const line = { mail: mail.id, kind: mail.kind, reference: mail.reference, attempt: mail.attempts };
  if (status === 'sent') log.info(line, 'a mail was handed over');
  else if (status === 'waiting') log.warn({ ...line, error }, 'a mail was not taken; it is tried again');
  else log.error({ ...line, error }, 'a mail was given up');
}

/** Up to a tenth earlier or later, so that what failed together does not come back together. */
function spread(seconds: number): number {
  return seconds * (0.9 + Math.random() * 0.2);
}
