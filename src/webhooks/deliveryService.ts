import { authorizeProject } from '../access/authorize.ts';
import { ofLiveProject } from '../access/notDeleted.ts';
import type { Principal } from '../access/principal.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
import { literal, Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import type { EventType } from '../events/catalogue.ts';
import { markFannedOut } from '../events/eventStore.ts';
import { recordEvent } from '../events/recordEvent.ts';
import { now } from '../kernel/clock.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { Attempt } from '../models/Attempt.ts';
import { Delivery } from '../models/Delivery.ts';
import { Project } from '../models/Project.ts';
import { QUEUE } from '../models/queue.ts';
import { deliveryId, planDeliveries } from './deliveryStore.ts';
import { aboutWebhook, findWebhook, lockWebhook } from './findWebhook.ts';
import { requestHeaders } from './requestHeaders.ts';
import { sampleEvent } from './samples.ts';

export type { AttemptError } from './decideOutcome.ts';
export { bodiesOf, isBatch } from './deliveryBodies.ts';

/** The delivery, if the principal has `scope` for its webhook. Throws `not_found`. */
export async function findDelivery(
  principal: Principal,
  id: string,
  scope: 'webhooks:read' | 'webhooks:write' = 'webhooks:read',
): Promise<Delivery> {
  if (principal.kind === 'key') await authorizeProject(principal, scope, principal.projectId);
  // A team-wide webhook has deliveries about all projects.
  const where = { [Op.and]: [{ id }, literal(ofLiveProject('"Delivery"."project_id"'))] };
  const delivery = await Delivery.findOne({ where });
  if (!delivery) throw notFound('delivery');
  try {
    await findWebhook(principal, scope, delivery.webhookId);
  } catch (error) {
    throw error instanceof CodedError && error.code === 'not_found' ? notFound('delivery') : error;
  }
  return delivery;
}

/** The attempts of many deliveries in one query, ordered by number. The caller has authorized the deliveries. */
export async function attemptsOfDeliveries(deliveryIds: readonly string[]): Promise<Map<string, Attempt[]>> {
  const found = await Attempt.findAll({
    where: { deliveryId: { [Op.in]: [...deliveryIds] } },
    order: [['number', 'ASC']],
  });
  return Map.groupBy(found, (attempt) => attempt.deliveryId);
}

/** An attempt with its request headers; null for old attempts whose signature was not stored. */
export type ShownAttempt = Attempt & { requestHeaders: Record<string, string> | null };

/**
 * The attempts to show for a delivery. Attempts are read after their delivery, so there may be newer ones; these are left
 * out to agree with its attempt count.
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

/** Waiting resends of one delivery: more than this is a script gone wrong. */
const MAX_WAITING_RESENDS = 10;

/**
 * Sends a delivery again at once, even if the webhook is disabled or its circuit is open. Throws `not_found`, and
 * `conflict` when too many resends of it are waiting.
 */
export async function resendDelivery(principal: Principal, id: string): Promise<Delivery> {
  const found = await findDelivery(principal, id, 'webhooks:write');
  const webhook = await findWebhook(principal, 'webhooks:write', found.webhookId);
  return inTransaction(async (transaction) => {
    const delivery = await Delivery.findByPk(found.id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!delivery) throw notFound('delivery');
    if (delivery.resends >= MAX_WAITING_RESENDS) {
      throw new CodedError(
        'conflict',
        `${MAX_WAITING_RESENDS} resends of this delivery are already waiting. Try again once they have been sent.`,
      );
    }
    // While an attempt is in flight, its end sets the time of the next one.
    const dueAt = delivery.claim === null ? now() : delivery.dueAt;
    await delivery.update({ resends: delivery.resends + 1, queue: QUEUE.byHand, dueAt }, { transaction });
    await announce(transaction, 'deliveries', delivery.webhookId);
    const details = { delivery_id: delivery.id, event_id: delivery.eventId, event_type: delivery.eventType };
    await recordAudit(transaction, principal, { ...aboutWebhook(webhook), action: 'delivery.resent', details });
    return delivery;
  });
}

/**
 * Sends a sample event of this type (`test: true` in the envelope) to this webhook only, even if it is disabled. The
 * returned delivery is already queued. Throws `not_found`.
 */
export async function testWebhook(principal: Principal, id: string, type: EventType): Promise<Delivery> {
  const found = await findWebhook(principal, 'webhooks:write', id);
  return inTransaction(async (transaction) => {
    const webhook = await lockWebhook(found.id, transaction);
    const projectId = webhook.projectId ?? (await firstProjectOf(webhook.teamId, transaction));
    const event = await recordEvent(transaction, {
      ...sampleEvent(type, { projectId }),
      teamId: webhook.teamId,
      projectId,
      webhookId: webhook.id,
    });
    // Planned here and not by the fan-out, so that it can be returned.
    await planDeliveries([{ event, webhook }], transaction);
    await markFannedOut([event.id], transaction);
    await announce(transaction, 'deliveries', webhook.id);
    await recordAudit(transaction, principal, {
      ...aboutWebhook(webhook),
      action: 'webhook.tested',
      details: { event_type: type },
    });
    return Delivery.findByPk(deliveryId(event, webhook), { transaction, rejectOnEmpty: true });
  });
}

/** A project for samples of a team-wide webhook. If the team has none, the id is made up, like others in samples. */
async function firstProjectOf(teamId: string, transaction: Transaction): Promise<string> {
  const first = await Project.findOne({ where: { teamId }, order: [['createdAt', 'ASC']], transaction });
  return first?.id ?? newId('prj');
}
