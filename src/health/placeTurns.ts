import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { firstDue } from './dueTimes.ts';

/** Projects that one look goes through. */
const PAGE = 2000;
const NEWEST = 500;

/** Where the walk over all projects stands; each process has its own. */
let walkedTo = '';

/**
 * Gives every project a turn that has none: the newest at once, and page by page the others, so that none is forgotten
 * whoever made it. And turns that lie too far ahead, because the clock or HEALTH_CHECK_SECONDS was changed, a new one.
 */
export async function placeMissingTurns(): Promise<void> {
  // As a value and not as a join: PostgreSQL might read both tables whole for that.
  const lacking = (projects: string) =>
    `SELECT id, (SELECT project_id FROM health_turns WHERE project_id = p.id) AS turn FROM (${projects}) AS p`;
  const newest = await selectBound<Row>(lacking(`SELECT id FROM projects ORDER BY id DESC LIMIT ${NEWEST}`), []);
  const page = await selectBound<Row>(lacking(`SELECT id FROM projects WHERE id > $1 ORDER BY id LIMIT ${PAGE}`), [
    walkedTo,
  ]);
  walkedTo = page.length < PAGE ? '' : (page.at(-1)?.id ?? '');
  const far = await selectBound<{ id: string }>(
    `SELECT project_id AS id FROM health_turns WHERE due_at > $1 ORDER BY due_at LIMIT ${PAGE}`,
    [sqlTime(latestDue())],
  );
  const without = [...newest, ...page].filter(({ turn }) => turn === null);
  const ids = new Set([...without, ...far].map(({ id }) => id));
  if (ids.size > 0) await inTransaction((transaction) => placeTurns([...ids], transaction));
}

interface Row {
  id: string;
  turn: string | null;
}

/** Turns for these projects; those that have a sensible one keep it. */
export async function placeTurns(projectIds: readonly string[], transaction: Transaction): Promise<void> {
  const nowMs = clock.now();
  await withJsonRows(
    { project_id: 'text', due_at: 'time' },
    projectIds.map((id) => [id, sqlTime(firstDue(id, nowMs, config.healthCheckSeconds * 1000))]),
    `INSERT INTO health_turns (project_id, due_at) SELECT project_id, due_at FROM given WHERE true
     ON CONFLICT (project_id) DO UPDATE SET due_at = excluded.due_at WHERE health_turns.due_at > $2`,
    transaction,
    [sqlTime(latestDue())],
  );
}

/** No turn is more than an interval ahead; clocks of several processes differ a little. */
function latestDue(): number {
  return clock.now() + 2 * config.healthCheckSeconds * 1000;
}
