import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { Op, type WhereOptions } from '../../db/sequelize.ts';
import { CodedError, notFound } from '../../kernel/errors.ts';
import { Attempt } from '../../models/Attempt.ts';
import { Delivery } from '../../models/Delivery.ts';
import { requestHeaders } from '../../webhooks/requestHeaders.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';
import { findWebhook } from './findWebhook.ts';

export interface DeliveryFilter {
  status?: string | null;
  eventType?: string | null;
  /** From this moment on. */
  createdAfter?: Date | null;
  /** Before this moment. */
  createdBefore?: Date | null;
}

/** Deliveries of a webhook, newest first. Throws `not_found` for a webhook of others. */
export async function listDeliveries(
  principal: Principal,
  webhookId: string,
  { limit, cursor, ...filter }: DeliveryFilter & PageRequest,
): Promise<Page<Delivery>> {
  const webhook = await findWebhook(principal, 'webhooks:read', webhookId);
  const where: WhereOptions[] = [{ webhookId: webhook.id }];
  if (filter.status) where.push({ status: filter.status });
  if (filter.eventType) where.push({ eventType: filter.eventType });
  if (filter.createdAfter) where.push({ createdAt: { [Op.gte]: filter.createdAfter } });
  if (filter.createdBefore) where.push({ createdAt: { [Op.lt]: filter.createdBefore } });
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(Delivery, { [Op.and]: where }, { limit, cursor }, ['deliveries', webhook.id, filter], order);
}

/** One delivery that the principal may do `scope` with. Throws `not_found`. */
export async function findDelivery(
  principal: Principal,
  id: string,
  scope: 'webhooks:read' | 'webhooks:write' = 'webhooks:read',
): Promise<Delivery> {
  if (principal.kind === 'key') await authorizeProject(principal, scope, principal.projectId);
  const delivery = await Delivery.findByPk(id);
  if (!delivery) throw notFound('delivery');
  try {
    await findWebhook(principal, scope, delivery.webhookId);
  } catch (error) {
    throw error instanceof CodedError && error.code === 'not_found' ? notFound('delivery') : error;
  }
  return delivery;
}

/** The attempts of many deliveries in one query, each in order of their numbers. */
export async function attemptsOfDeliveries(deliveryIds: readonly string[]): Promise<Map<string, Attempt[]>> {
  const found = await Attempt.findAll({
    where: { deliveryId: { [Op.in]: [...deliveryIds] } },
    order: [['number', 'ASC']],
  });
  return Map.groupBy(found, (attempt) => attempt.deliveryId);
}

/** An attempt with the headers that it was sent with; null where they were not kept. */
export type ShownAttempt = Attempt & { requestHeaders: Record<string, string> | null };

/**
 * The attempts of a delivery as it was read. They are read after it, so that there may be more by then: those are not
 * shown, and count and attempts agree.
 */
export function shownAttempts(delivery: Delivery, attempts: readonly Attempt[]): ShownAttempt[] {
  return attempts
    .filter(({ number }) => number <= delivery.attemptCount)
    .map((attempt) => {
      const { number, signature } = attempt;
      return Object.assign(attempt, {
        requestHeaders: signature === null ? null : requestHeaders(delivery, number, signature),
      });
    });
}
