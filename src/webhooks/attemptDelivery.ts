import { inTransaction } from '../db/inTransaction.ts';
import { type Transaction } from '../db/sequelize.ts';
import { clock, inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { newId } from '../kernel/ids.ts';
import { log } from '../kernel/log.ts';
import { metrics } from '../kernel/metrics.ts';
import { Attempt } from '../models/Attempt.ts';
import { Delivery } from '../models/Delivery.ts';
import { Webhook } from '../models/Webhook.ts';
import { liveSecrets } from '../services/webhooks/webhookSecrets.ts';
import type { AttemptResult } from './attempt.ts';
import { type OurFault, outcome } from './outcome.ts';
import { attemptJobId } from './planDeliveries.ts';
import type { Sender } from './send.ts';
import { signatureHeader } from './signature.ts';

/** Beyond the deadline of a request: time to write down what came of it before others may think we died. */
const CLAIM_MARGIN_SECONDS = 20;

/**
 * Makes the attempt that is due for a delivery and writes down what came of it. Gives the delivery when another attempt
 * is to come, else null; also when somebody else has it in hand, when it is not due, or when its webhook is switched off.
 */
export async function attemptDelivery(deliveryId: string, sender: Sender): Promise<Delivery | null> {
  const claimed = await claim(deliveryId);
  if (!claimed) return null;
  const { delivery, webhook } = claimed;
  const at = now();
  const result = await send(delivery, webhook, sender);
  return inTransaction((transaction) => settle(delivery.id, at, result, transaction));
}

async function claim(id: string): Promise<{ delivery: Delivery; webhook: Webhook } | null> {
  return inTransaction(async (transaction) => {
    const delivery = await Delivery.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
    if (delivery?.status !== 'pending' || !isDue(delivery)) return null;
    const webhook = await Webhook.findByPk(delivery.webhookId, { transaction });
    if (!webhook || (webhook.status !== 'enabled' && !isTest(delivery))) return null;
    await delivery.update(
      { claimedUntil: inSeconds(config.webhookTimeoutSeconds + CLAIM_MARGIN_SECONDS) },
      { transaction },
    );
    return { delivery, webhook };
  });
}

function isDue({ nextAttemptAt, claimedUntil }: Delivery): boolean {
  const isFree = claimedUntil === null || claimedUntil.getTime() <= clock.now();
  return isFree && nextAttemptAt !== null && nextAttemptAt.getTime() <= clock.now();
}

/** Tests go out while their webhook is switched off. */
function isTest(delivery: Delivery): boolean {
  return JSON.parse(delivery.requestBody).test === true;
}

async function send(delivery: Delivery, webhook: Webhook, sender: Sender): Promise<AttemptResult | OurFault> {
  try {
    return await sender.send({
      url: webhook.url,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'SVC-Webhooks/1',
        'SVC-Signature': signatureHeader(
          liveSecrets(webhook.secrets),
          delivery.requestBody,
          Math.floor(clock.now() / 1000),
        ),
        'SVC-Event-Id': delivery.eventId,
        'SVC-Event-Type': delivery.eventType,
        'SVC-Delivery-Id': delivery.id,
        'SVC-Attempt': String(delivery.attemptCount + 1),
      },
      body: delivery.requestBody,
    });
  } catch (error) {
    log.error({ err: error, delivery: delivery.id }, 'an attempt could not be made; it is repeated and not counted');
    return { kind: 'our_fault' };
  }
}

async function settle(
  id: string,
  at: Date,
  result: AttemptResult | OurFault,
  transaction: Transaction,
): Promise<Delivery | null> {
  const delivery = await Delivery.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
  if (!delivery) return null;
  const manualAttemptsMade = await Attempt.count({ where: { deliveryId: id, manual: true }, transaction });
  const options = { gaps: config.webhookRetrySeconds, nowMs: clock.now(), random: Math.random };
  const next = outcome(delivery, { manual: false, manualAttemptsMade, result }, options);
  if (!('kind' in result)) await writeAttempt(delivery, next.attemptCount, at, result, transaction);
  const isPending = next.status === 'pending';
  const jobId = isPending ? attemptJobId(id, next.attemptCount + 1) : delivery.jobId;
  await delivery.update({ ...next, jobId, claimedUntil: null }, { transaction });
  return isPending ? delivery : null;
}

async function writeAttempt(
  delivery: Delivery,
  number: number,
  at: Date,
  { retryAfterSeconds: _, ...result }: AttemptResult,
  transaction: Transaction,
): Promise<void> {
  await Attempt.create(
    { id: newId('att'), deliveryId: delivery.id, number, at, manual: false, ...result },
    { transaction },
  );
  metrics.deliveryAttempts.inc({ result: result.error ?? 'ok' });
  log.info(
    {
      delivery: delivery.id,
      webhook: delivery.webhookId,
      event: delivery.eventId,
      type: delivery.eventType,
      attempt: number,
      status: result.statusCode,
      error: result.error,
      durationMs: result.durationMs,
    },
    'webhook attempt',
  );
}
