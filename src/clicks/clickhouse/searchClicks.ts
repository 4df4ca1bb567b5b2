import type { KeysetPosition, Search } from '../../db/paging.ts';
import type { ProjectRows } from '../../db/projectRows.ts';
import type { ClickSearch, FoundClick } from '../clickListStore.ts';
import { ARCHIVED_CLICKS } from '../clickStore.ts';
import { testSql } from './conditions.ts';
import { literal } from './connection.ts';
import { ALL_COLUMNS, clickOf, ofProject, orNull, selectClicks, timeOf } from './rows.ts';
import { CLICKS } from './table.ts';

/** The newest clicks of a search after a position. Columns are read so fast that a page needs no slices. */
export async function search(
  { projectId, fromMs, toMs, tests }: ClickSearch,
  after: KeysetPosition | null,
  count: number,
): Promise<Search<FoundClick>> {
  const conditions = [
    ofProject(projectId),
    `occurred_ms >= ${literal(fromMs)}`,
    `occurred_ms < ${literal(toMs)}`,
    ...(after ? [isAfter(after)] : []),
    ...tests.map((test) => testSql(test)),
  ];
  const rows = await selectClicks(
    `SELECT ${ALL_COLUMNS} FROM ${CLICKS} WHERE ${conditions.join(' AND ')}
     ORDER BY occurred_ms DESC, id DESC LIMIT ${literal(count)}`,
  );
  return {
    rows: rows.map((row) => {
      const click = clickOf(row);
      const occurredAt = new Date(click.occurredAt);
      return { ...click, occurredAt, value: occurredAt };
    }),
    end: null,
  };
}

function isAfter({ value, id }: KeysetPosition): string {
  const ms = literal((value as Date).getTime());
  return `occurred_ms <= ${ms} AND (occurred_ms < ${ms} OR id < ${literal(String(id))})`;
}

/** As the archive of the built-in store has them. */
export async function readArchived(
  projectId: string,
  after: KeysetPosition | null,
  count: number,
): Promise<ProjectRows> {
  const rows = await selectClicks(
    `SELECT ${ALL_COLUMNS} FROM ${CLICKS} WHERE ${ofProject(projectId)} ${after ? `AND ${isAfter(after)}` : ''}
     ORDER BY occurred_ms DESC, id DESC LIMIT ${literal(count)}`,
  );
  const last = rows.at(-1);
  const names = Object.keys(ARCHIVED_CLICKS.columns);
  return {
    rows: rows.map((row) => {
      const { utm, tagIds, visitor, occurredAt } = clickOf(row);
      const values: Record<string, unknown> = {
        ...row,
        occurred_at: new Date(occurredAt).toISOString(),
        utm,
        tag_ids: tagIds,
        visitor: visitor.slice(0, 6),
      };
      const shown = (value: unknown) => (typeof value === 'string' ? orNull(value) : (value ?? null));
      return Object.fromEntries(names.map((name) => [name, shown(values[name])]));
    }),
    last: last ? { value: new Date(timeOf(last)), id: last.id } : null,
  };
}
