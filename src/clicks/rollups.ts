import { withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Click } from './click.ts';
import { newDayVisitors } from './dayVisitors.ts';
import { dimensions } from './dimensions.ts';
import { DAY_MS, QUARTER_MS } from './periods.ts';
import { Sums } from './sums.ts';

const CELL = { project_id: 'text', dimension: 'text', key: 'text' } as const;

const ADD_TO_DAYS = `INSERT INTO click_days (project_id, dimension, key, day, traffic_class, clicks, visitors)
  SELECT * FROM given WHERE true ON CONFLICT (project_id, dimension, key, day, traffic_class)
  DO UPDATE SET clicks = click_days.clicks + excluded.clicks, visitors = click_days.visitors + excluded.visitors`;

const ADD_TO_QUARTERS = `INSERT INTO click_rollups (project_id, dimension, key, bucket, traffic_class, count)
  SELECT * FROM given WHERE true ON CONFLICT (project_id, dimension, key, bucket, traffic_class)
  DO UPDATE SET count = click_rollups.count + excluded.count`;

/** Counts clicks that are new in the store: by quarter of an hour, and by UTC day with its distinct visitors. */
export async function addToRollups(clicks: Click[], transaction: Transaction): Promise<void> {
  const quarters = new Sums();
  const days = new Sums();
  for (const click of clicks) {
    const quarter = Math.floor(click.occurredAt / QUARTER_MS);
    const day = Math.floor(click.occurredAt / DAY_MS);
    for (const [dimension, { keyOf }] of dimensions) {
      const key = keyOf(click);
      quarters.add([click.projectId, dimension, key, quarter, click.trafficClass], [1]);
      days.add([click.projectId, dimension, key, day, click.trafficClass], [1, 0]);
    }
  }
  for (const cell of await newDayVisitors(clicks, transaction)) days.add(cell, [0, 1]);
  const dayColumns = {
    ...CELL,
    day: 'integer',
    traffic_class: 'text',
    clicks: 'integer',
    visitors: 'integer',
  } as const;
  await withJsonRows(dayColumns, days.rows(), ADD_TO_DAYS, transaction);
  const quarterColumns = { ...CELL, bucket: 'integer', traffic_class: 'text', count: 'integer' } as const;
  await withJsonRows(quarterColumns, quarters.rows(), ADD_TO_QUARTERS, transaction);
}
