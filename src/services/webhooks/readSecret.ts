import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { aboutWebhook } from './aboutWebhook.ts';
import { findWebhook } from './findWebhook.ts';
import { liveSecrets } from './webhookSecrets.ts';

/** A webhook with the secret that signs first. */
export type WebhookWithSecret = Webhook & { secret: string };

/** The secret is for those alone who may change the webhook, and it is noted who looked at it. Throws `not_found`. */
export async function readSecret(principal: Principal, id: string): Promise<WebhookWithSecret> {
  const webhook = await findWebhook(principal, 'webhooks:write', id);
  await inTransaction((transaction) =>
    recordAudit(transaction, principal, { ...aboutWebhook(webhook), action: 'webhook.secret_read' }),
  );
  const [secret = ''] = liveSecrets(webhook);
  return Object.assign(webhook, { secret });
}
