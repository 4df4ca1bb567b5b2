import type { Principal } from '../../access/principal.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { findWebhook, lockWebhook } from './findWebhook.ts';

const DISABLED = { status: 'disabled', disabledReason: 'manual' } as const;
/** It starts afresh, whatever it was switched off for. */
const ENABLED = { status: 'enabled', disabledReason: null, consecutiveFailures: 0, circuit: 'closed' } as const;

/**
 * Switches a webhook on or off by hand. Safe to repeat: one that is so already stays as it is, with its reason. While it
 * is off no event makes a delivery for it, and those on their way wait. Throws `not_found`.
 */
export async function switchWebhook(principal: Principal, id: string, to: Webhook['status']): Promise<Webhook> {
  const found = await findWebhook(principal, 'webhooks:write', id);
  return inTransaction(async (transaction) => {
    const webhook = await lockWebhook(found.id, transaction);
    if (webhook.status === to) return webhook;
    // What has waited goes out.
    if (to === 'enabled') await announce(transaction, 'webhook', webhook.id);
    return webhook.update(to === 'enabled' ? ENABLED : DISABLED, { transaction });
  });
}
