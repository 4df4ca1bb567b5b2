import { sqlTime, withJsonRows } from '../../db/jsonRows.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { clock, inSeconds } from '../../kernel/clock.ts';
import type { Webhook } from '../../models/Webhook.ts';

/** When its process is not heard of for so long, a lane is free. It is held anew after half of that. */
const LEASE_SECONDS = 30;

/** Until when the lane is held from now on. */
export function leaseEnd({ lane, laneUntil }: Webhook, mine: string): Date {
  const isFresh = lane === mine && laneUntil !== null && laneUntil.getTime() > clock.now() + LEASE_SECONDS * 500;
  return isFresh ? laneUntil : inSeconds(LEASE_SECONDS);
}

const COLUMNS = {
  id: 'text',
  status: 'text',
  disabled_reason: 'text',
  disabled_at: 'time',
  circuit: 'text',
  consecutive_failures: 'integer',
  probe_pause_seconds: 'integer',
  next_probe_at: 'time',
  lane: 'text',
  lane_until: 'time',
} as const;
const SET = Object.keys(COLUMNS)
  .filter((name) => name !== 'id')
  .map((name) => `${name} = given.${name}`)
  .join(', ');

/** Writes the health and the lane of those webhooks for which they are not as `before`. */
export async function writeWebhooks(
  webhooks: Webhook[],
  before: Map<string, Record<string, unknown>>,
  transaction: Transaction,
): Promise<void> {
  const rows = webhooks.map(rowOf);
  const changed = rows.filter((row, at) => {
    const old = before.get((webhooks[at] as Webhook).id) as unknown as Webhook;
    return JSON.stringify(row) !== JSON.stringify(rowOf(old));
  });
  await withJsonRows(
    COLUMNS,
    changed,
    `UPDATE webhooks SET ${SET} FROM given WHERE webhooks.id = given.id`,
    transaction,
  );
}

function rowOf(webhook: Webhook): unknown[] {
  const time = (at: Date | null) => (at === null ? null : sqlTime(at.getTime()));
  return [
    webhook.id,
    webhook.status,
    webhook.disabledReason,
    time(webhook.disabledAt),
    webhook.circuit,
    webhook.consecutiveFailures,
    webhook.probePauseSeconds,
    time(webhook.nextProbeAt),
    webhook.lane,
    time(webhook.laneUntil),
  ];
}
