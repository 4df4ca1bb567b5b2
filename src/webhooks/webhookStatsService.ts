import { INTERVALS, readRange } from '../analytics/readRange.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { validationFailed } from '../kernel/errors.ts';
import { countByHour, type HourlyCount, type NewestDeliveries, readNewest } from './deliveryCountStore.ts';

/** How the deliveries of a webhook went. */
export interface WebhookStats {
  start: Date;
  /** Exclusive. */
  end: Date;
  /** Of the deliveries created in the interval. */
  succeeded: number;
  /** Those that failed or were cancelled. */
  failed: number;
  /** Those that wait now, of any age. */
  pending: number;
  lastDeliveryAt: Date | null;
  lastSuccessAt: Date | null;
  /** Of the newest successful deliveries of the interval; null without one. */
  medianMs: number | null;
  /** In order, without gaps. */
  buckets: StatsBucket[];
}

export interface StatsBucket {
  start: Date;
  succeeded: number;
  failed: number;
}

const HOUR_MS = DAY_MS / 24;

/**
 * Figures of many webhooks over an interval of analytics, in two statements whatever their number. The caller has authorized
 * the webhooks. Throws `validation_failed` for an unknown interval.
 */
export async function statsOfWebhooks(
  webhookIds: readonly string[],
  interval: string | null,
): Promise<Map<string, WebhookStats>> {
  // The schema checks the arguments of root fields only.
  if (interval !== null && !INTERVALS.includes(interval)) {
    throw validationFailed([{ path: 'interval', message: `Must be one of ${INTERVALS.join(', ')}.` }]);
  }
  // Older deliveries are deleted.
  const oldest = clock.now() - config.deliveryRetentionDays * DAY_MS;
  const range = readRange({ interval }, oldest, []);
  const since = Math.max(range.start, oldest);
  const [counts, newest] = await Promise.all([countByHour(webhookIds, since), readNewest(webhookIds, since)]);
  const countsOf = Map.groupBy(counts, ({ webhookId }) => webhookId);
  const newestOf = new Map(newest.map((row) => [row.webhookId, row]));
  const shown = { start: since, end: range.end };
  return new Map(
    webhookIds.map((id) => [id, statsOf(newestOf.get(id) ?? NOTHING, countsOf.get(id) ?? [], shown)] as const),
  );
}

/** Of a webhook that was deleted meanwhile. */
const NOTHING = { pending: 0, lastDeliveryAt: null, lastSuccessAt: null, durations: [] };

function statsOf(
  { pending, lastDeliveryAt, lastSuccessAt, durations }: Omit<NewestDeliveries, 'webhookId'>,
  counts: HourlyCount[],
  { start, end }: { start: number; end: number },
): WebhookStats {
  const buckets = bucketsOf(counts, { start, end });
  return {
    start: new Date(start),
    end: new Date(end),
    succeeded: buckets.reduce((sum, bucket) => sum + bucket.succeeded, 0),
    failed: buckets.reduce((sum, bucket) => sum + bucket.failed, 0),
    pending,
    lastDeliveryAt,
    lastSuccessAt,
    medianMs: durations[Math.floor((durations.length - 1) / 2)] ?? null,
    buckets,
  };
}

/** Hours of UTC for up to a day, else its days. */
function bucketsOf(counts: HourlyCount[], { start, end }: { start: number; end: number }): StatsBucket[] {
  const length = end - start <= DAY_MS ? HOUR_MS : DAY_MS;
  const first = Math.floor(start / length);
  const buckets = Array.from({ length: Math.floor((end - 1) / length) - first + 1 }, (_, at) => ({
    start: new Date((first + at) * length),
    succeeded: 0,
    failed: 0,
  }));
  for (const { status, hour, count } of counts) {
    const bucket = buckets[Math.floor(hour / length) - first];
    if (!bucket || status === 'pending') continue;
    bucket[status === 'succeeded' ? 'succeeded' : 'failed'] += count;
  }
  return buckets;
}
