import { database, dialect } from '../../db/connection/database.ts';
import { type Bind, query, queryRaw } from '../../db/query.ts';
import { config } from '../../kernel/config.ts';
import type { Condition, Source } from './condition.ts';

const SEARCHED_COLUMNS = ['links.slug', 'links.destination', 'links.title'];

const CONTAINS = {
  sqlite: (column: string, text: string) => `instr(lower(${column}), ${text}) > 0`,
  postgres: (column: string, text: string) => `strpos(lower(${column} COLLATE "C"), ${text}) > 0`,
};

/**
 * The condition that slug, destination or title contains the text. Only A to Z are compared without regard to case, so that
 * both stores agree. A text that the store's index does not serve is searched in the newest links of the project only
 * (SEARCH_SCAN_ROWS), which were created at `since` or later.
 */
export async function searchCondition(
  projectId: string,
  search: string,
): Promise<{ condition: Condition; since: Date | null }> {
  const wanted = search.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const test = (bind: Bind) => {
    const text = bind(wanted);
    return `(${SEARCHED_COLUMNS.map((column) => CONTAINS[dialect()](column, text)).join(' OR ')})`;
  };
  const source = await searchSource(wanted);
  if (source) return { condition: { test, source }, since: null };
  return { condition: { test }, since: await startOfNewest(projectId, config.searchScanRows) };
}

/** The look-up of links that may contain a text (A to Z in lower case); null when the store's index does not serve it. */
async function searchSource(text: string): Promise<Source | null> {
  return dialect() === 'sqlite' ? sqliteSource(text) : postgresSource(text);
}

/** A further trigram hardly narrows the result, but a frequent one is expensive to read. */
const MAX_TRIGRAMS = 12;

/** Every character is in one of the trigrams. They are quoted: inside quotes only the quote itself has a meaning. */
function sqliteSource(text: string): Source | null {
  const characters = [...text];
  const last = characters.length - 3;
  if (last < 0) return null;
  const step = Math.max(3, Math.ceil(characters.length / MAX_TRIGRAMS));
  const starts = new Set([...Array.from({ length: Math.ceil(last / step) }, (_, index) => index * step), last]);
  const phrases = [...starts].map(
    (start) =>
      `"${characters
        .slice(start, start + 3)
        .join('')
        .replaceAll('"', '""')}"`,
  );
  const matches = (bind: Bind) => `link_search MATCH ${bind(phrases.join(' AND '))}`;
  return {
    from: 'link_search CROSS JOIN links ON links.row = link_search.rowid',
    where: matches,
    entries: (bind) => `link_search WHERE ${matches(bind)}`,
    isExact: false,
    isByCreation: false,
  };
}

/** The expression of the index, word for word: see migration 0004. */
const POSTGRES_TEXT = `lower((slug || chr(10) || destination || chr(10) || coalesce(title, '')) COLLATE "C")`;

/** pg_trgm indexes letters and digits, and nothing between them. */
const WORD = /[\p{L}\p{N}]{3}/u;
const ASCII_WORD = /[a-z0-9]{3}/;

async function postgresSource(text: string): Promise<Source | null> {
  const { exists, hasAllLetters } = await textIndexOf(database());
  if (!exists || !(hasAllLetters ? WORD : ASCII_WORD).test(text)) return null;
  const pattern = `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return {
    from: 'links',
    where: (bind) => `${POSTGRES_TEXT} LIKE ${bind(pattern)}`,
    entries: null,
    isExact: false,
    isByCreation: false,
  };
}

interface TextIndex {
  exists: boolean;
  /** The database classifies letters beyond A to Z as letters. */
  hasAllLetters: boolean;
}

/** Read once for each opening of the store. */
const textIndexes = new WeakMap<object, Promise<TextIndex>>();

function textIndexOf(store: object): Promise<TextIndex> {
  const index = textIndexes.get(store) ?? readTextIndex();
  textIndexes.set(store, index);
  index.catch(() => textIndexes.delete(store));
  return index;
}

async function readTextIndex(): Promise<TextIndex> {
  const [index] = await query<TextIndex>(
    `SELECT to_regclass('links_search') IS NOT NULL AS "exists", 'ä' ~ '[[:alpha:]]' AS "hasAllLetters"`,
  );
  return index as TextIndex;
}

/** When the oldest of the newest `count` links of a project was created; null when the project has fewer. */
async function startOfNewest(projectId: string, count: number): Promise<Date | null> {
  const [oldest] = await queryRaw<{ created_at: Date | string }>(
    `SELECT created_at FROM links WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ${count - 1}`,
    [projectId],
  );
  return oldest ? new Date(oldest.created_at) : null;
}
