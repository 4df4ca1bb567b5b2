import { authorizeProject, authorizeTeam } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { API_VERSION } from '../../events/catalogue.ts';
import { checkAll } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { Webhook } from '../../models/Webhook.ts';
import { newWebhookSecret } from '../../webhooks/newWebhookSecret.ts';
import { aboutWebhook } from './aboutWebhook.ts';
import { checkTarget } from './checkTarget.ts';
import { resolveScope } from './resolveScope.ts';
import type { WebhookInput } from './webhookInput.ts';
import { sealSecrets } from './webhookSecrets.ts';

type NewWebhook = WebhookInput & { projectId?: string | null; teamId?: string | null };

/**
 * Makes a webhook and its first secret, which is shown here. A key makes them for its project; a person for a project
 * (`projectId`), or for the whole team (`teamId`). Throws `validation_failed`.
 */
export async function createWebhook(
  principal: Principal,
  input: NewWebhook & { url: string },
): Promise<{ webhook: Webhook; secret: string }> {
  const { url, description, eventTypes, includeBots } = input;
  const { bounds, columns } = await checkNewWebhook(principal, input);
  const secret = newWebhookSecret();
  const webhook = await inTransaction(async (transaction) => {
    const id = newId('whk');
    const made = await Webhook.create(
      {
        id,
        teamId: bounds.teamId,
        ...columns,
        url,
        description: description ?? null,
        eventTypes: eventTypes ?? ['*'],
        includeBots: includeBots ?? false,
        apiVersion: API_VERSION,
        secrets: sealSecrets(id, [{ secret, expiresAt: null }]),
      },
      { transaction },
    );
    const details = { event_types: made.eventTypes, link_id: made.linkId, tag_id: made.tagId };
    await recordAudit(transaction, principal, { ...aboutWebhook(made), action: 'webhook.created', details });
    return made;
  });
  return { webhook, secret };
}

/** Whether the webhook is possible, without making it: where it belongs, and whose events it gets. */
export async function checkNewWebhook(principal: Principal, input: NewWebhook) {
  const bounds = await boundsOf(principal, input);
  const [columns] = await checkAll([resolveScope(input.scope, bounds), checkTarget(input.url)]);
  return { bounds, columns };
}

async function boundsOf(
  principal: Principal,
  { projectId, teamId }: { projectId?: string | null; teamId?: string | null },
) {
  if (projectId) {
    const project = await authorizeProject(principal, 'webhooks:write', projectId);
    return { teamId: project.teamId, projectId: project.id };
  }
  const team = await authorizeTeam(principal, 'webhooks:write', teamId ?? '');
  return { teamId: team.id, projectId: null };
}
