import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { Click } from './click.ts';
import { addToLinks } from './linkCounts.ts';
import { addToRollups } from './rollups.ts';

const COLUMNS = {
  id: 'text',
  project_id: 'text',
  link_id: 'text',
  domain: 'text',
  slug: 'text',
  occurred_at: 'time',
  traffic_class: 'text',
  traffic_reason: 'text',
  country: 'text',
  region: 'text',
  city: 'text',
  platform: 'text',
  device: 'text',
  browser: 'text',
  language: 'text',
  referrer_host: 'text',
  destination: 'text',
  rule: 'text',
  utm: 'json',
  visitor: 'text',
  address_hash: 'text',
  uncollected: 'flag',
} as const;

const NAMES = Object.keys(COLUMNS).join(', ');

/**
 * Stores clicks and counts them, in one transaction; gives how many were new. A click whose id is in the store already
 * counts nothing. `listening`: whether a webhook of the project wants to hear of clicks.
 */
export async function storeClicks(
  clicks: Click[],
  { listening }: { listening: (projectId: string) => boolean },
): Promise<number> {
  const byId = new Map(clicks.map((click) => [click.id, click]));
  const rows = [...byId.values()].map((click) => valuesOf(click, listening(click.projectId)));
  return inTransaction(async (transaction) => {
    const added = await withJsonRows<{ id: string }>(
      COLUMNS,
      rows,
      `INSERT INTO clicks (${NAMES}) SELECT ${NAMES} FROM given WHERE true ON CONFLICT (id) DO NOTHING RETURNING id`,
      transaction,
    );
    const fresh = added.flatMap(({ id }) => byId.get(id) ?? []);
    if (fresh.length === 0) return 0;
    await addToRollups(fresh, transaction);
    await addToLinks(fresh, transaction);
    return fresh.length;
  });
}

/** In the order of COLUMNS. */
function valuesOf(click: Click, isListenedTo: boolean): unknown[] {
  return [
    click.id,
    click.projectId,
    click.linkId,
    click.domain,
    click.slug,
    sqlTime(click.occurredAt),
    click.trafficClass,
    click.trafficReason,
    click.country,
    click.region,
    click.city,
    click.platform,
    click.device,
    click.browser,
    click.language,
    click.referrerHost,
    click.destination,
    click.rule,
    click.utm,
    click.visitor,
    click.addressHash,
    isListenedTo && click.trafficClass !== 'prefetch',
  ];
}
