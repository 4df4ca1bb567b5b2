import { dialect } from '../../src/db/connection/database.ts';
import { query } from '../../src/db/query.ts';

/** All that the store keeps in which one of these words occurs, by table. */
export async function rowsWith(...words: string[]): Promise<Record<string, string[]>> {
  const tables = await query<{ name: string }>(
    dialect() === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'table'"
      : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = (await query(`SELECT * FROM "${name}"`)).map((row) => JSON.stringify(row)).sort();
    const matching = rows.filter((row) => words.some((word) => row.includes(word)));
    if (matching.length > 0) found[name] = matching;
  }
  return found;
}
