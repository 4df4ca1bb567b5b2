import { epochMs } from '../../db/dialects.ts';
import { queryRaw } from '../../db/query.ts';
import { DIMENSIONS, type Dimension } from '../dimensions.ts';
import { literal, literalList, select } from './connection.ts';
import { insertClicks } from './insertClicks.ts';
import { AS_IT_CAME } from './queueStore.ts';
import { clickOf, type Row } from './rows.ts';
import { CLICKS, COLUMNS, openTable, readSettings } from './table.ts';

/** Clicks of one insert. */
const BATCH = 10_000;

/** A row of the built-in table by the columns of ClickHouse's. Unknown values are null, and JSON is text on SQLite. */
type StoredRow = Omit<Row, 'tag_ids'> & { tag_ids: string | string[] };

/** SQL for the columns that the built-in table has in another form. */
function columnSql(name: string): string {
  if (name === 'occurred_ms') return `${epochMs('occurred_at')} AS ${name}`;
  return name.startsWith('utm_') ? `${DIMENSIONS[name as Dimension]} AS ${name}` : name;
}

export interface MovedClicks {
  /** Clicks that were read in the store. */
  read: number;
  /** How many of these ClickHouse has now, by its own count. */
  found: number;
}

/**
 * Copies the clicks of the built-in table to ClickHouse, after the click with the id `after`; a click that is there already stays
 * as it is. The table is left as it was. `onProgress` gets the number so far and the last id, after which another call may go on;
 * it may throw to stop. Throws `ClicksUnavailable`.
 */
export async function moveClicks(
  after: string,
  onProgress: (read: number, lastId: string) => void,
): Promise<MovedClicks> {
  await openTable();
  const moved: MovedClicks = { read: 0, found: 0 };
  for (let last = after; ; ) {
    const rows = await queryRaw<StoredRow>(
      `SELECT ${Object.keys(COLUMNS).map(columnSql).join(', ')}
       FROM clicks WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
      [last],
    );
    if (rows.length === 0) return moved;
    const clicks = rows.map(({ tag_ids: tags, ...row }) => clickOf({ ...row, tag_ids: parsed(tags) }));
    await insertClicks(clicks, AS_IT_CAME, `${rows[0]?.id} ${rows.length}`);
    moved.read += rows.length;
    moved.found += await countThere(rows);
    last = rows.at(-1)?.id as string;
    onProgress(moved.read, last);
  }
}

/** How many of these clicks ClickHouse has. */
async function countThere(rows: readonly StoredRow[]): Promise<number> {
  const times = rows.map(({ occurred_ms: ms }) => Number(ms));
  const projects = [...new Set(rows.map(({ project_id }) => project_id))];
  const [range, last] = [[Math.min(...times), Math.max(...times)] as const, rows.at(-1)?.id as string];
  const [row] = await select<{ n: number | string }>(
    `SELECT count() AS n FROM ${CLICKS} WHERE project_id IN ${literalList(projects)} AND occurred_ms >= ${literal(range[0])}
       AND occurred_ms <= ${literal(range[1])} AND id >= ${literal(rows[0]?.id as string)} AND id <= ${literal(last)}`,
    await readSettings(),
  );
  return Number(row?.n ?? 0);
}

function parsed(tags: string | string[]): string[] {
  return typeof tags === 'string' ? JSON.parse(tags) : tags;
}
