import { randomUUID } from 'node:crypto';
import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import { selectBound } from '../../db/selectBound.ts';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { CodedError, validationFailed } from '../../kernel/errors.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { countReplay } from '../../webhooks/replay/countReplay.ts';
import { REPLAYS } from '../../webhooks/replay/range.ts';
import { aboutWebhook } from './aboutWebhook.ts';
import { findWebhook, lockWebhook } from './findWebhook.ts';

export { REPLAYS };

export interface ReplayInput {
  since: Date;
  /** Unset: until now. */
  until?: Date | null;
  status?: (typeof REPLAYS)[number];
}

/** Whoever says "30 days ago" says it some moments before we hear it. */
const SLACK_MS = 300_000;

/**
 * Sends again what was raised in a range: see `REPLAYS`. Gives how many deliveries that will be; jobs send them. Throws
 * `not_found`, `validation_failed`, and `conflict` for a webhook that is disabled.
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
    await selectBound(
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

function rangeOf({ since, until, status = 'failed' }: ReplayInput) {
  const nowMs = clock.now();
  const days = config.eventRetentionDays;
  const fields = [];
  if (since.getTime() < nowMs - days * 86_400_000 - SLACK_MS) {
    fields.push({ path: 'since', message: `Must be within the last ${days} days, for which events are kept.` });
  }
  if (until && until.getTime() <= since.getTime()) {
    fields.push({ path: 'until', message: 'Must be after since.' });
  }
  if (fields.length > 0) throw validationFailed(fields);
  // What is raised from now on is not part of it.
  return { since, until: new Date(Math.min(until?.getTime() ?? nowMs, nowMs)), status };
}

function refuseDisabled({ status }: Webhook): void {
  if (status === 'enabled') return;
  throw new CodedError('conflict', 'The webhook is disabled. Enable it first; then what it missed can be replayed.');
}
