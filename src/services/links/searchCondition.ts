import { dialect } from '../../db/database.ts';
import type { Bind } from '../../db/selectWritten.ts';
import { config } from '../../kernel/config.ts';
import type { Condition } from './condition.ts';
import { searchSource } from './searchSource.ts';
import { startOfNewest } from './startOfNewest.ts';

const TEXTS = ['links.slug', 'links.destination', 'links.title'];

const HOLDS = {
  sqlite: (column: string, text: string) => `instr(lower(${column}), ${text}) > 0`,
  postgres: (column: string, text: string) => `strpos(lower(${column} COLLATE "C"), ${text}) > 0`,
};

/**
 * That the searched text stands in slug, destination or title, as it is; A to Z alone are compared without regard to
 * case, by which both stores agree. What the index of the store does not serve is looked for in the newest links of the
 * project alone (SEARCH_SCAN_ROWS): those from `since` on.
 */
export async function searchCondition(
  projectId: string,
  search: string,
): Promise<{ condition: Condition; since: Date | null }> {
  const wanted = lowerAscii(search);
  const test = (bind: Bind) => {
    const text = bind(wanted);
    return `(${TEXTS.map((column) => HOLDS[dialect()](column, text)).join(' OR ')})`;
  };
  const source = await searchSource(wanted);
  if (source) return { condition: { test, source }, since: null };
  return { condition: { test }, since: await startOfNewest(projectId, config.searchScanRows) };
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
