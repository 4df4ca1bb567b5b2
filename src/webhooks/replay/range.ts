import { sqlTime } from '../../db/jsonRows.ts';
import type { Webhook } from '../../models/Webhook.ts';

/** What of a range is sent again: deliveries that ended without success, events that have none, or everything. */
export const REPLAYS = ['failed', 'missing', 'all'] as const;

export interface ReplayRange {
  webhook: Webhook;
  /** By the moment when events were raised: inclusive, exclusive. */
  since: Date;
  until: Date;
}

/** Existing deliveries that each kind sends again; none for `missing`. */
export const STATUSES = {
  failed: "status IN ('failed', 'cancelled')",
  missing: null,
  all: '1 = 1',
} as const satisfies Record<(typeof REPLAYS)[number], string | null>;

/** The deliveries of a range as a condition whose parameters are `rangeValues`, $1 to $3. */
export const IN_RANGE = 'webhook_id = $1 AND event_at >= $2 AND event_at < $3 AND is_test = false';

export function rangeValues({ webhook, since, until }: ReplayRange): string[] {
  return [webhook.id, sqlTime(since.getTime()), sqlTime(until.getTime())];
}
