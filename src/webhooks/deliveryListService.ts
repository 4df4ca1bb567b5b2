import { authorizeProject } from '../access/authorize.ts';
import { ofLiveProject } from '../access/notDeleted.ts';
import type { Principal } from '../access/principal.ts';
import { withoutIndex } from '../db/dialects.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import { literal, Op, type WhereOptions, whereIs } from '../db/sequelize.ts';
import { validationFailed } from '../kernel/errors.ts';
import { Delivery } from '../models/Delivery.ts';
import { Webhook } from '../models/Webhook.ts';
import { batchesWith } from './batchStore.ts';
import { countDeliveries } from './deliveryCountStore.ts';
import { findWebhook } from './findWebhook.ts';

export interface DeliveryFilter {
  /** Deliveries of this webhook; needed without `projectId`. */
  webhookId?: string | null;
  /** Deliveries of this project's events, to all webhooks that the principal may read. */
  projectId?: string | null;
  eventId?: string | null;
  status?: string | null;
  eventType?: string | null;
  /** Inclusive. */
  createdAfter?: Date | null;
  /** Exclusive. */
  createdBefore?: Date | null;
}

/** Deliveries of a webhook or a project, newest first. Throws `not_found`, and `validation_failed` without either. */
export async function listDeliveries(
  principal: Principal,
  { limit, cursor, ...filter }: DeliveryFilter & PageRequest,
): Promise<Page<Delivery>> {
  const { webhookId, projectId, eventId, status, eventType, createdAfter, createdBefore } = filter;
  const webhookIds = await webhooksOf(principal, filter);
  const where: WhereOptions[] = [literal(ofLiveProject('"Delivery"."project_id"'))];
  const isNarrow = webhookId != null || eventId != null;
  // By the index on the project, in the order of the list, and not webhook by webhook; an event has few deliveries.
  if (isNarrow) where.push({ webhookId: webhookIds });
  else where.push(unindexed('webhook_id', webhookIds));
  if (projectId) where.push(isNarrow ? unindexed('project_id', [projectId]) : { projectId });
  if (eventId != null) where.push({ [Op.or]: [{ eventId }, { id: await batchesWith(eventId, webhookIds) }] });
  if (status) where.push({ status });
  if (eventType) where.push({ eventType });
  if (createdAfter) where.push({ createdAt: { [Op.gte]: createdAfter } });
  if (createdBefore) where.push({ createdAt: { [Op.lt]: createdBefore } });
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(Delivery, { [Op.and]: where }, { limit, cursor }, ['deliveries', filter], order);
}

export interface DeliveryCount {
  count: number;
  /** In descending order of count; null without `groupBy`. */
  data: { key: string; count: number }[] | null;
}

export type DeliveryGrouping = 'status' | 'event_type';

/** Counts the deliveries that `listDeliveries` lists. Throws the same. */
export async function countListedDeliveries(
  principal: Principal,
  { groupBy, ...filter }: DeliveryFilter & { groupBy?: DeliveryGrouping | null },
): Promise<DeliveryCount> {
  const webhookIds = await webhooksOf(principal, filter);
  const batchIds = filter.eventId == null ? [] : await batchesWith(filter.eventId, webhookIds);
  const groups = await countDeliveries({ ...filter, webhookIds, batchIds }, groupBy ?? 'status');
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return { count, data: groupBy ? groups : null };
}

/**
 * The webhooks whose deliveries are asked for and may be read: one, or those of a project. People also read those of the
 * whole team; keys never do.
 */
async function webhooksOf(principal: Principal, { webhookId, projectId }: DeliveryFilter): Promise<string[]> {
  if (webhookId != null) return [(await findWebhook(principal, 'webhooks:read', webhookId)).id];
  if (projectId == null) {
    const message = 'Give webhookId for the deliveries of a webhook, or projectId for those of a project.';
    throw validationFailed([{ path: 'webhookId', message }]);
  }
  const { id, teamId } = await authorizeProject(principal, 'webhooks:read', projectId);
  const own = { projectId: id };
  const where = principal.kind === 'key' ? own : { [Op.or]: [own, { teamId, projectId: null }] };
  const found = await Webhook.findAll({ attributes: ['id'], where });
  return found.map((webhook) => webhook.id);
}

/** A condition for which SQLite must not use an index. */
function unindexed(column: string, values: string[]): WhereOptions {
  return whereIs(literal(withoutIndex(`"Delivery"."${column}"`)), { [Op.in]: values }) as unknown as WhereOptions;
}
