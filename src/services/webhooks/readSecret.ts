import type { Principal } from '../../access/principal.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { findWebhook } from './findWebhook.ts';
import { liveSecrets } from './webhookSecrets.ts';

/** A webhook with the secret that signs first. */
export type WebhookWithSecret = Webhook & { secret: string };

/** The secret is for those alone who may change the webhook. Throws `not_found`. */
export async function readSecret(principal: Principal, id: string): Promise<WebhookWithSecret> {
  const webhook = await findWebhook(principal, 'webhooks:write', id);
  const [secret = ''] = liveSecrets(webhook.secrets);
  return Object.assign(webhook, { secret });
}
