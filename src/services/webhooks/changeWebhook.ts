import type { Principal } from '../../access/principal.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { checkTarget } from './checkTarget.ts';
import { findWebhook, lockWebhook } from './findWebhook.ts';
import { resolveScope } from './resolveScope.ts';
import type { WebhookInput } from './webhookInput.ts';

/** Changes the fields that are sent. Throws `not_found`, `validation_failed`. */
export async function updateWebhook(principal: Principal, id: string, input: WebhookInput): Promise<Webhook> {
  const found = await findWebhook(principal, 'webhooks:write', id);
  const { scope, ...columns } = input;
  const projectId = principal.kind === 'key' ? principal.projectId : null;
  const scoped = scope === undefined ? {} : await resolveScope(scope, { teamId: found.teamId, projectId });
  if (input.url !== undefined && input.url !== found.url) await checkTarget(input.url);
  return inTransaction(async (transaction) => {
    const webhook = await lockWebhook(found.id, transaction);
    return webhook.update({ ...columns, ...scoped }, { transaction });
  });
}

/** Deletes a webhook with its deliveries; what is on its way is given up. Throws `not_found`. */
export async function deleteWebhook(principal: Principal, id: string): Promise<void> {
  const found = await findWebhook(principal, 'webhooks:write', id);
  await inTransaction(async (transaction) => {
    const webhook = await lockWebhook(found.id, transaction);
    await webhook.destroy({ transaction });
  });
}
