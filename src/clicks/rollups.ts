import type { Transaction } from 'sequelize';
import { withJsonRows } from '../db/jsonRows.ts';
import type { Click } from './click.ts';
import { newDayVisitors } from './dayVisitors.ts';
import { dimensions } from './dimensions.ts';
import { DAY_MS, QUARTER_MS } from './periods.ts';
import { Sums } from './sums.ts';

const T: Record<string, number> = {};
(globalThis as any).T = T;
async function timed<X>(n: string, f: () => Promise<X> | X): Promise<X> {
  const t = performance.now();
  const r = await f();
  T[n] = (T[n] ?? 0) + performance.now() - t;
  return r;
}
const ONE = [1] as const;
export async function addToRollups(clicks: Click[], transaction: Transaction): Promise<void> {
  const quarters = new Sums();
  const days = new Sums();
  let qr!: any[];
  await timed('js', () => {
    for (const click of clicks) {
      const quarter = Math.floor(click.occurredAt / QUARTER_MS);
      for (const [dimension, { keyOf }] of dimensions) {
        quarters.add([click.projectId, dimension, keyOf(click), quarter, click.trafficClass], ONE);
      }
    }
    qr = quarters.rows();
    for (const [p, d, k, q, c, n] of qr) days.add([p, d, k, Math.floor(q / (DAY_MS / QUARTER_MS)), c], [n, 0]);
  });
  const cell = { project_id: 'text', dimension: 'text', key: 'text' } as const;
  await timed('visitors', async () => {
    for (const c of await newDayVisitors(clicks, transaction)) days.add(c, [0, 1]);
  });
  await timed('days', () =>
    withJsonRows(
      { ...cell, day: 'integer', traffic_class: 'text', clicks: 'integer', visitors: 'integer' },
      days.rows(),
      'INSERT INTO click_days (project_id, dimension, key, day, traffic_class, clicks, visitors) SELECT * FROM given WHERE true ON CONFLICT (project_id, dimension, key, day, traffic_class) DO UPDATE SET clicks = click_days.clicks + excluded.clicks, visitors = click_days.visitors + excluded.visitors',
      transaction,
    ),
  );
  await timed('quarters', () =>
    withJsonRows(
      { ...cell, bucket: 'integer', traffic_class: 'text', count: 'integer' },
      qr,
      'INSERT INTO click_rollups (project_id, dimension, key, bucket, traffic_class, count) SELECT * FROM given WHERE true ON CONFLICT (project_id, dimension, key, bucket, traffic_class) DO UPDATE SET count = click_rollups.count + excluded.count',
      transaction,
    ),
  );
}
