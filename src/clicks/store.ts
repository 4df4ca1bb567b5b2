import type { Transaction } from 'sequelize';
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

const timed = async <X>(n: string, f: () => Promise<X>): Promise<X> => {
  const T = (globalThis as any).T;
  const t = performance.now();
  const r = await f();
  T[n] = (T[n] ?? 0) + performance.now() - t;
  return r;
};
const NAMES = Object.keys(COLUMNS).join(', ');

export async function storeClicks(
  clicks: Click[],
  options: { listening: (projectId: string) => boolean },
): Promise<number> {
  const byId = new Map(clicks.map((click) => [click.id, click]));
  return inTransaction(async (transaction) => {
    const rows = [...byId.values()].map((c) => [
      c.id,
      c.projectId,
      c.linkId,
      c.domain,
      c.slug,
      sqlTime(c.occurredAt),
      c.trafficClass,
      c.trafficReason,
      c.country,
      c.region,
      c.city,
      c.platform,
      c.device,
      c.browser,
      c.language,
      c.referrerHost,
      c.destination,
      c.rule,
      c.utm,
      c.visitor,
      c.addressHash,
      options.listening(c.projectId) && c.trafficClass !== 'prefetch',
    ]);
    const added = await timed('clicks', () =>
      withJsonRows<{ id: string }>(
        COLUMNS,
        rows,
        `INSERT INTO clicks (${NAMES}) SELECT ${NAMES} FROM given WHERE true ON CONFLICT (id) DO NOTHING RETURNING id`,
        transaction,
      ),
    );
    const fresh = added.map(({ id }) => byId.get(id) as Click);
    if (fresh.length > 0) {
      await addToRollups(fresh, transaction);
      await timed('links', () => addToLinks(fresh, transaction));
    }
    return fresh.length;
  });
}
