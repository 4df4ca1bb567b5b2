import { withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Click } from './click.ts';
import type { DayCell } from './dayVisitors.ts';
import { DIMENSION_NAMES, DIMENSIONS, type Dimension } from './dimensions.ts';
import { QUARTER_MS, QUARTERS_A_DAY } from './periods.ts';
import { Sums } from './sums.ts';

type QuarterCell = readonly [
  projectId: string,
  dimension: Dimension,
  key: string,
  quarter: number,
  trafficClass: string,
];

const CELL = { project_id: 'text', dimension: 'text', key: 'text', period: 'integer', traffic_class: 'text' } as const;
const ONE = [1];

/** Adds clicks to the rollups: by quarter of an hour, and by UTC day together with the visitors new on that day. */
export async function addToRollups(clicks: Click[], newVisitors: DayCell[], transaction: Transaction): Promise<void> {
  const quarters = countByQuarter(clicks);
  await withJsonRows(
    { ...CELL, count: 'integer' },
    quarters.rows(),
    `INSERT INTO click_rollups (project_id, dimension, key, bucket, traffic_class, count) SELECT * FROM given WHERE true
     ON CONFLICT (project_id, dimension, key, bucket, traffic_class)
     DO UPDATE SET count = click_rollups.count + excluded.count`,
    transaction,
  );
  await withJsonRows(
    { ...CELL, clicks: 'integer', visitors: 'integer' },
    countByDay(quarters, newVisitors).rows(),
    `INSERT INTO click_days (project_id, dimension, key, day, traffic_class, clicks, visitors) SELECT * FROM given WHERE true
     ON CONFLICT (project_id, dimension, key, day, traffic_class)
     DO UPDATE SET clicks = click_days.clicks + excluded.clicks, visitors = click_days.visitors + excluded.visitors`,
    transaction,
  );
}

function countByQuarter(clicks: Click[]): Sums<QuarterCell> {
  const quarters = new Sums<QuarterCell>();
  for (const click of clicks) {
    const quarter = Math.floor(click.occurredAt / QUARTER_MS);
    for (const name of DIMENSION_NAMES) {
      quarters.add([click.projectId, name, DIMENSIONS[name].keyOf(click), quarter, click.trafficClass], ONE);
    }
  }
  return quarters;
}

/** Both amounts in one row: clicks, visitors. */
function countByDay(quarters: Sums<QuarterCell>, newVisitors: DayCell[]): Sums<DayCell> {
  const days = new Sums<DayCell>();
  for (const [[projectId, dimension, key, quarter, trafficClass], [count = 0]] of quarters) {
    days.add([projectId, dimension, key, Math.floor(quarter / QUARTERS_A_DAY), trafficClass], [count, 0]);
  }
  for (const cell of newVisitors) days.add(cell, [0, 1]);
  return days;
}
