import { randomUUID } from 'node:crypto';
import type { Principal } from '../access/principal.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError, validationFailed } from '../kernel/errors.ts';
import type { Webhook } from '../models/Webhook.ts';
import { aboutWebhook, findWebhook, lockWebhook } from './findWebhook.ts';
import {
  type EventPosition,
  IN_RANGE,
  missingEvents,
  REPLAYS,
  type ReplayRange,
  rangeValues,
  STATUSES,
} from './missingEvents.ts';

export { REPLAYS };

interface ReplayInput {
  since: Date;
  /** Defaults to now. */
  until?: Date | null;
  status?: (typeof REPLAYS)[number];
}

/** A client that computes "30 days ago" does so some moments before the request arrives. */
const SLACK_MS = 300_000;

/**
 * Sends the events of a time range again: see `REPLAYS`. Returns the number of deliveries, which a job sends. Throws
 * `not_found`, `validation_failed`, and `conflict` for a disabled webhook.
 */
export async function replayWebhook(principal: Principal, id: string, input: ReplayInput): Promise<{ count: number }> {
  const { since, until, status } = rangeOf(input);
  const webhook = await findWebhook(principal, 'webhooks:write', id);
  refuseDisabled(webhook);
  const count = await countReplay({ webhook, since, until }, status);
  await inTransaction(async (transaction) => {
    refuseDisabled(await lockWebhook(webhook.id, transaction));
    if (count === 0) return;
    const now = sqlTime(clock.now());
    await queryRaw(
      `INSERT INTO replays (id, webhook_id, status, since, until, worked_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6)`,
      [randomUUID(), webhook.id, status, sqlTime(since.getTime()), sqlTime(until.getTime()), now],
      transaction,
    );
    await announce(transaction, 'replays', webhook.id);
    const details = { since, until, status, count };
    await recordAudit(transaction, principal, { ...aboutWebhook(webhook), action: 'webhook.replayed', details });
  });
  return { count };
}

/**
 * The number of deliveries that `replayWebhook` would send, also for a disabled webhook and in survival mode: nothing is sent.
 * Throws `not_found` and `validation_failed`.
 */
export async function previewReplay(principal: Principal, id: string, input: ReplayInput): Promise<{ count: number }> {
  const { since, until, status } = rangeOf(input);
  const webhook = await findWebhook(principal, 'webhooks:read', id);
  return { count: await countReplay({ webhook, since, until }, status) };
}

function rangeOf({ since, until, status = 'failed' }: ReplayInput) {
  const nowMs = clock.now();
  const days = config.eventRetentionDays;
  const fields = [];
  if (since.getTime() < nowMs - days * 86_400_000 - SLACK_MS) {
    fields.push({ path: 'since', message: `Must be within the last ${days} days: older events are deleted.` });
  }
  if (until && until.getTime() <= since.getTime()) {
    fields.push({ path: 'until', message: 'Must be after since.' });
  }
  if (fields.length > 0) throw validationFailed(fields);
  // Later events are not part of the replay.
  return { since, until: new Date(Math.min(until?.getTime() ?? nowMs, nowMs)), status };
}

function refuseDisabled({ status }: Webhook): void {
  if (status === 'enabled') return;
  throw new CodedError('conflict', 'The webhook is disabled. Enable it first, then replay what it missed.');
}

/** Counts the deliveries that a replay will send. */
async function countReplay(range: ReplayRange, status: (typeof REPLAYS)[number]): Promise<number> {
  const condition = STATUSES[status];
  const existing = condition === null ? 0 : await countExisting(range, condition);
  return existing + (status === 'failed' ? 0 : await countMissing(range));
}

async function countExisting(range: ReplayRange, condition: string): Promise<number> {
  const [row] = await queryRaw<{ count: number }>(
    `SELECT COUNT(*) AS count FROM deliveries WHERE ${IN_RANGE} AND ${condition}`,
    rangeValues(range),
  );
  return Number(row?.count ?? 0);
}

async function countMissing(range: ReplayRange): Promise<number> {
  let count = 0;
  let position: EventPosition | null = null;
  do {
    const page = await missingEvents(range, position);
    count += page.missing.length;
    position = page.next;
  } while (position);
  return count;
}
