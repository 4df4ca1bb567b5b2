import { withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Click } from './click.ts';
import { QUARTER_MS } from './periods.ts';

/** Notes in which quarters of an hour clicks have come that are in no block yet: see src/rollups. */
export async function addToBacklog(
  clicks: Pick<Click, 'projectId' | 'occurredAt'>[],
  transaction: Transaction,
): Promise<void> {
  const counts = new Map<string, [projectId: string, quarter: number, count: number]>();
  for (const { projectId, occurredAt } of clicks) {
    const quarter = Math.floor(occurredAt / QUARTER_MS);
    const id = `${projectId} ${quarter}`;
    const entry = counts.get(id);
    if (entry) entry[2] += 1;
    else counts.set(id, [projectId, quarter, 1]);
  }
  // Every process touches the rows in the same order.
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await withJsonRows(
    { project_id: 'text', quarter: 'integer', clicks: 'integer' },
    rows,
    `INSERT INTO click_backlog (project_id, quarter, clicks) SELECT * FROM given WHERE true
     ON CONFLICT (project_id, quarter) DO UPDATE SET clicks = click_backlog.clicks + excluded.clicks`,
    transaction,
  );
}
