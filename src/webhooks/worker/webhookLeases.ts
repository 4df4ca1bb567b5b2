import { ofLiveProject, ofLiveTeam } from '../../access/notDeleted.ts';
import { inList, inListValue } from '../../db/dialects.ts';
import { sqlTime, withJsonRows } from '../../db/jsonRows.ts';
import { isFree, isLeaseOver, type LeasedTable } from '../../db/lease.ts';
import { queryRaw } from '../../db/query.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { inTransaction } from '../../db/transactions.ts';
import { clock } from '../../kernel/clock.ts';
import { QUEUE } from '../../models/queue.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { hasRipeEvents, ripeValues } from '../batchStore.ts';

/** Length of the lease of a webhook; it is renewed after half of that. */
const LEASE_MS = 30_000;

/** Which worker has the lease, `lane` says. */
export const WEBHOOK_LEASES: LeasedTable = {
  table: 'webhooks',
  key: 'id',
  due: 'lane_until',
  until: 'lane_until',
  leaseMs: () => LEASE_MS,
};

/** SQL: neither the project nor the team of the webhook is deleted. Otherwise its deliveries wait for the restoration. */
export const LIVE_WEBHOOK = `${ofLiveProject('webhooks.project_id')} AND ${ofLiveTeam('webhooks.team_id')}`;

const hasDue = (queue: number) =>
  `EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = webhooks.id AND queue = ${queue} AND due_at <= $1)`;

/** Those of these webhooks that no process has the lease of. */
export async function freeWebhooks(ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const condition = `deleted_at IS NULL AND ${LIVE_WEBHOOK} AND ${isFree(WEBHOOK_LEASES)} AND ${inList('id', '$1')}`;
  return idsOf(`SELECT id FROM webhooks WHERE ${condition}`, [inListValue(ids)]);
}

/** Webhooks with something that could be sent now or has to be put into a batch, of which no process has the lease. */
export async function waitingWebhooks(): Promise<string[]> {
  const sql = `SELECT id FROM webhooks WHERE deleted_at IS NULL AND ${LIVE_WEBHOOK} AND ${isFree(WEBHOOK_LEASES)} AND (${hasDue(QUEUE.byHand)}
    OR ${hasRipeEvents()} OR (status = 'enabled' AND (circuit = 'closed' OR next_probe_at <= $1)
      AND (${hasDue(QUEUE.automatic)} OR ${hasDue(QUEUE.replay)})))`;
  return idsOf(sql, ripeValues());
}

/** The embedded store has one process: what is leased or claimed when it starts was so by one that was killed. */
export async function freeWebhooksOfDeadProcess(): Promise<void> {
  const now = sqlTime(clock.now());
  await inTransaction(async (transaction) => {
    await queryRaw('UPDATE webhooks SET lane = NULL, lane_until = NULL WHERE lane IS NOT NULL', [], transaction);
    await queryRaw(
      'UPDATE deliveries SET due_at = $1, claim = NULL WHERE claim IS NOT NULL AND due_at > $1',
      [now],
      transaction,
    );
  });
}

async function idsOf(sql: string, values: unknown[]): Promise<string[]> {
  return (await queryRaw<{ id: string }>(sql, values)).map(({ id }) => id);
}

/** The end of the lease as it is written now. */
export function leaseEnd({ lane, laneUntil }: Webhook, leaseId: string): Date {
  const isFresh =
    lane === leaseId &&
    laneUntil !== null &&
    !isLeaseOver(WEBHOOK_LEASES, laneUntil) &&
    laneUntil.getTime() > clock.now() + LEASE_MS / 2;
  return isFresh ? laneUntil : new Date(clock.now() + LEASE_MS);
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
  circuit_opened_at: 'time',
  lane: 'text',
  lane_until: 'time',
} as const;
const SET = Object.keys(COLUMNS)
  .filter((name) => name !== 'id')
  .map((name) => `${name} = given.${name}`)
  .join(', ');

/** Writes the health and the lease of those webhooks for which they differ from `before`. */
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
    time(webhook.circuitOpenedAt),
    webhook.lane,
    time(webhook.laneUntil),
  ];
}
