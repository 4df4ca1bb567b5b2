import type { Principal } from '../../access/principal.ts';
import { resolveAlert } from '../../alerts/resolveAlert.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { recordChange } from '../../audit/recordChange.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { now } from '../../kernel/clock.ts';
import { checkAll } from '../../kernel/errors.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { HEALTHY } from '../../webhooks/breaker.ts';
import { disabledIncident } from '../../webhooks/lanes/disabledAlert.ts';
import { aboutWebhook } from './aboutWebhook.ts';
import { checkTarget } from './checkTarget.ts';
import { findWebhook, lockWebhook } from './findWebhook.ts';
import { resolveScope } from './resolveScope.ts';
import type { WebhookInput } from './webhookInput.ts';

/** What can be changed, as it is shown. */
const FIELDS = ['url', 'description', 'eventTypes', 'includeBots', 'projectId', 'linkId', 'tagId'] as const;

/** Changes the fields that are sent. Another URL is another receiver: its circuit is closed. Throws `not_found`, `validation_failed`. */
export async function updateWebhook(principal: Principal, id: string, input: WebhookInput): Promise<Webhook> {
  const { found, scoped } = await checkWebhookChange(principal, id, input);
  const { scope: _, ...columns } = input;
  return inTransaction(async (transaction) => {
    const webhook = await lockWebhook(found.id, transaction);
    const before = { ...webhook.get() };
    const isMoved = input.url !== undefined && input.url !== webhook.url && webhook.status === 'enabled';
    await announce(transaction, 'webhook', webhook.id);
    await webhook.update(
      { ...columns, ...scoped, ...(isMoved ? { ...HEALTHY, generation: webhook.generation + 1 } : {}) },
      { transaction },
    );
    const change = { ...aboutWebhook(webhook), before, after: webhook.get(), fields: FIELDS };
    await recordChange(transaction, principal, { ...change, action: 'webhook.updated' });
    return webhook;
  });
}

/** Whether the change is possible, without making it: the webhook, and whose events it will get. */
export async function checkWebhookChange(principal: Principal, id: string, { scope, url }: WebhookInput) {
  const found = await findWebhook(principal, 'webhooks:write', id);
  const projectId = principal.kind === 'key' ? principal.projectId : null;
  const [scoped] = await checkAll([
    scope === undefined ? Promise.resolve({}) : resolveScope(scope, { teamId: found.teamId, projectId }),
    checkTarget(url === found.url ? undefined : url),
  ]);
  return { found, scoped };
}

/** Deletes a webhook with its deliveries; what is on its way is given up. Throws `not_found`. */
export async function deleteWebhook(principal: Principal, id: string): Promise<void> {
  const found = await findWebhook(principal, 'webhooks:write', id);
  await inTransaction(async (transaction) => {
    const webhook = await lockWebhook(found.id, transaction);
    // It may have a million deliveries, which go in small batches: see webhooks/purge.
    await webhook.update({ deletedAt: now() }, { transaction });
    await resolveAlert(transaction, disabledIncident(webhook.id));
    await recordAudit(transaction, principal, { ...aboutWebhook(webhook), action: 'webhook.deleted' });
    await announce(transaction, 'webhook', webhook.id);
  });
}
