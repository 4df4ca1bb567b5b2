import type { Principal } from '../../access/principal.ts';
import { resolveAlert } from '../../alerts/resolveAlert.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { now } from '../../kernel/clock.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { HEALTHY } from '../../webhooks/breaker.ts';
import { cancelHeld, isHeldForTooLong } from '../../webhooks/cancelHeld.ts';
import { disabledIncident } from '../../webhooks/lanes/disabledAlert.ts';
import { releaseHeld } from '../../webhooks/releaseHeld.ts';
import { aboutWebhook } from './aboutWebhook.ts';
import { findWebhook, lockWebhook } from './findWebhook.ts';

/**
 * Switches a webhook on or off by hand. Safe to repeat: one that is so already stays as it is, with its reason. While it
 * is off no event makes a delivery for it, and those on their way wait. Throws `not_found`.
 */
export async function switchWebhook(principal: Principal, id: string, to: Webhook['status']): Promise<Webhook> {
  const found = await findWebhook(principal, 'webhooks:write', id);
  // While it is off, what is due does not go out either: nothing is lost when this gets no further.
  if (to === 'enabled' && found.status === 'disabled' && !isHeldForTooLong(found)) await releaseMost(found.id);
  return inTransaction(async (transaction) => {
    const webhook = await lockWebhook(found.id, transaction);
    if (webhook.status === to) return webhook;
    await announce(transaction, 'webhook', webhook.id);
    await recordAudit(transaction, principal, { ...aboutWebhook(webhook), action: `webhook.${to}` });
    return to === 'enabled' ? enable(webhook, transaction) : disable(webhook, transaction);
  });
}

/** There may be a million: in steps, so that nobody waits for all of them. */
async function releaseMost(webhookId: string): Promise<void> {
  while (await inTransaction((transaction) => releaseHeld(webhookId, transaction)));
}

/** It starts afresh, whatever it was switched off for; what has waited goes out at once, unless it waited for too long. */
async function enable(webhook: Webhook, transaction: Transaction): Promise<Webhook> {
  if (isHeldForTooLong(webhook)) while ((await cancelHeld([webhook.id], transaction)) > 0);
  while (await releaseHeld(webhook.id, transaction));
  await resolveAlert(transaction, disabledIncident(webhook.id));
  const afresh = { disabledReason: null, disabledAt: null, generation: webhook.generation + 1, ...HEALTHY };
  return webhook.update({ status: 'enabled', ...afresh }, { transaction });
}

function disable(webhook: Webhook, transaction: Transaction): Promise<Webhook> {
  return webhook.update({ status: 'disabled', disabledReason: 'manual', disabledAt: now() }, { transaction });
}
