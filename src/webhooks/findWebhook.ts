import { findOwned } from '../access/findOwned.ts';
import type { Principal } from '../access/principal.ts';
import type { Scope } from '../access/scopes.ts';
import type { Transaction } from '../db/sequelize.ts';
import { notFound } from '../kernel/errors.ts';
import { Webhook } from '../models/Webhook.ts';
import { refuseTeamWide } from './webhookMaker.ts';

/**
 * The webhook, if the principal has `scope` for it. Keys never see team-wide webhooks, which only owners and admins change.
 * Throws `not_found`, `insufficient_scope`.
 */
export async function findWebhook(principal: Principal, scope: Scope, id: string): Promise<Webhook> {
  const webhook = await findOwned(Webhook, principal, scope, id, 'webhook');
  if (scope === 'webhooks:write' && webhook.projectId === null) refuseTeamWide(principal, webhook.teamId);
  return webhook;
}

/** Reads and locks the webhook until the transaction ends. The caller has authorized the principal before. */
export async function lockWebhook(id: string, transaction: Transaction): Promise<Webhook> {
  const webhook = await Webhook.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
  if (!webhook) throw notFound('webhook');
  return webhook;
}

/** The fields of an audit entry about a webhook. */
export function aboutWebhook({ id, teamId, projectId, url }: Webhook) {
  return { teamId, projectId, subjectId: id, subjectName: url };
}
