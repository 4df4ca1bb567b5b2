import { Tag } from '../models/Tag.ts';
import type { KeyCount } from './topRows.ts';

/** Rows by tag with names in place of ids; a tag that was deleted keeps its id, for nothing else is known of it. */
export async function tagNamesFor(projectId: string, rows: KeyCount[]): Promise<KeyCount[]> {
  const ids = rows.flatMap(({ key }) => key ?? []);
  const tags = await Tag.findAll({ attributes: ['id', 'name'], where: { projectId, id: ids } });
  const names = new Map(tags.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({ ...row, key: row.key && (names.get(row.key) ?? row.key) }));
}
