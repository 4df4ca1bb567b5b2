import { openStoreIn, query } from '../../src/db/query.ts';
import { tablesOf } from '../../src/db/tables.ts';

/** All that the store keeps in which one of these words occurs, by table. */
export async function rowsWith(...words: string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const name of await tablesOf(openStoreIn())) {
    const rows = (await query(`SELECT * FROM "${name}"`)).map((row) => JSON.stringify(row)).sort();
    const matching = rows.filter((row) => words.some((word) => row.includes(word)));
    if (matching.length > 0) found[name] = matching;
  }
  return found;
}
