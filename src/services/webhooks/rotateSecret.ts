import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { clock } from '../../kernel/clock.ts';
import { CodedError } from '../../kernel/errors.ts';
import { newWebhookSecret } from '../../webhooks/newWebhookSecret.ts';
import { aboutWebhook } from './aboutWebhook.ts';
import { findWebhook, lockWebhook } from './findWebhook.ts';
import type { WebhookWithSecret } from './readSecret.ts';
import { sealSecrets, storedSecrets, type WebhookSecret } from './webhookSecrets.ts';

/** A day to put the new secret everywhere. */
const DEFAULT_SECONDS = 86_400;

/** Each live secret is one more signature in the header of every delivery. */
const MAX_LIVE = 3;

/**
 * Gives a webhook a new secret, which signs first. Those before it sign beside it for `expirePreviousSeconds` at most.
 * Throws `not_found`, and `conflict` when four would be live at once.
 */
export async function rotateSecret(
  principal: Principal,
  id: string,
  { expirePreviousSeconds }: { expirePreviousSeconds?: number },
): Promise<WebhookWithSecret> {
  const found = await findWebhook(principal, 'webhooks:write', id);
  const secret = newWebhookSecret();
  const end = clock.now() + (expirePreviousSeconds ?? DEFAULT_SECONDS) * 1000;
  const webhook = await inTransaction(async (transaction) => {
    const locked = await lockWebhook(found.id, transaction);
    const previous = endingBy(end, storedSecrets(locked));
    if (previous.length >= MAX_LIVE) throw tooMany(previous);
    const secrets = sealSecrets(locked.id, [{ secret, expiresAt: null }, ...previous]);
    await announce(transaction, 'webhook', locked.id);
    const details = { previous_expires_at: new Date(end).toISOString() };
    await recordAudit(transaction, principal, { ...aboutWebhook(locked), action: 'webhook.secret_rotated', details });
    return locked.update({ secrets }, { transaction });
  });
  return Object.assign(webhook, { secret });
}

/** What is still live of them; none outlives `end`, so that 0 seconds leave the new secret alone. */
function endingBy(end: number, secrets: readonly WebhookSecret[]): WebhookSecret[] {
  return secrets
    .map(({ secret, expiresAt }) => ({ secret, expiresAt: Math.min(expiresAt ?? end, end) }))
    .filter(({ expiresAt }) => expiresAt > clock.now());
}

function tooMany(live: WebhookSecret[]): CodedError {
  const next = new Date(Math.min(...live.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY)));
  return new CodedError(
    'conflict',
    `A webhook has at most ${MAX_LIVE} live secrets. The next rotation is possible at ${next.toISOString()}, ` +
      'or now with expire_previous_seconds 0, which ends the others at once.',
  );
}
