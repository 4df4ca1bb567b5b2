import { authorizeProject, authorizeTeam } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import type { Scope } from '../../access/scopes.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { CodedError, notFound } from '../../kernel/errors.ts';
import { Webhook } from '../../models/Webhook.ts';

/** A webhook that the principal may do `scope` with. Keys never see team-wide ones. Throws `not_found`. */
export async function findWebhook(principal: Principal, scope: Scope, id: string): Promise<Webhook> {
  if (principal.kind === 'key') await authorizeProject(principal, scope, principal.projectId);
  const where = principal.kind === 'key' ? { id, projectId: principal.projectId } : { id };
  const webhook = await Webhook.findOne({ where });
  if (!webhook) throw notFound('webhook');
  try {
    if (webhook.projectId) await authorizeProject(principal, scope, webhook.projectId);
    else await authorizeTeam(principal, scope, webhook.teamId);
  } catch (error) {
    throw error instanceof CodedError && error.code === 'not_found' ? notFound('webhook') : error;
  }
  return webhook;
}

/** The webhook as it is now, locked until the transaction ends; who may touch it was decided before. */
export async function lockWebhook(id: string, transaction: Transaction): Promise<Webhook> {
  const webhook = await Webhook.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
  if (!webhook) throw notFound('webhook');
  return webhook;
}
