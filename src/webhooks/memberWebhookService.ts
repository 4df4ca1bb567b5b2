import { authorizeTeam, requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { inTransaction } from '../db/transactions.ts';
import type { Webhook } from '../models/Webhook.ts';
import { enabledWebhooksOf } from '../projects/leftBehind.ts';
import { lockWebhook } from './findWebhook.ts';
import { switchOff } from './webhookService.ts';

/**
 * Disables the webhooks of a team that a person created or pointed at their URL, with keys of theirs too; for owners and admins,
 * whether the person is still in the team or not. Returns those that were enabled. Throws `not_found`, `insufficient_scope`,
 * `team_read_only`.
 */
export async function disableWebhooksOfMember(
  principal: Principal,
  teamId: string,
  userId: string,
): Promise<Webhook[]> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:write', teamId);
  return inTransaction(async (transaction) => {
    const disabled: Webhook[] = [];
    for (const { id } of await enabledWebhooksOf(userId, [teamId], transaction)) {
      const webhook = await lockWebhook(id, transaction);
      if (webhook.status === 'enabled') disabled.push(await switchOff(principal, webhook, transaction));
    }
    return disabled;
  });
}
