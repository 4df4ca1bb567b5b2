import { literalList } from './connection.ts';
import { ofProject, selectClicks } from './rows.ts';
import { CLICKS } from './table.ts';

/** The time of a project's first click; null without any. */
export async function firstClickAt(projectId: string): Promise<number | null> {
  const [row] = await selectClicks<{ first: number | string; n: number | string }>(
    `SELECT min(occurred_ms) AS first, count() AS n FROM ${CLICKS} WHERE ${ofProject(projectId)}`,
  );
  return row && Number(row.n) > 0 ? Number(row.first) : null;
}

/** All clicks of these projects. */
export async function countClicksOf(projectIds: readonly string[]): Promise<number> {
  if (projectIds.length === 0) return 0;
  const [row] = await selectClicks<{ n: number | string }>(
    `SELECT count() AS n FROM ${CLICKS} WHERE project_id IN ${literalList(projectIds)}`,
  );
  return Number(row?.n ?? 0);
}
