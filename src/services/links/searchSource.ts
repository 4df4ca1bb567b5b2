import { database, dialect, select } from '../../db/database.ts';
import type { Bind } from '../../db/selectWritten.ts';
import type { Source } from './condition.ts';

/** Where links that may hold a text (A to Z in lower case) are looked up; null when the store's index does not serve it. */
export async function searchSource(text: string): Promise<Source | null> {
  return dialect() === 'sqlite' ? ofSqlite(text) : ofPostgres(text);
}

/** Each more costs as much as it is frequent, and hardly narrows what was found. */
const MOST_TRIGRAMS = 12;

/** Every character is in one of the trigrams, which are put in quotes, where nothing but a quote has a meaning. */
function ofSqlite(text: string): Source | null {
  const characters = [...text];
  const last = characters.length - 3;
  if (last < 0) return null;
  const step = Math.max(3, Math.ceil(characters.length / MOST_TRIGRAMS));
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

/** Word for word what the index is on: see migration 0004. */
const POSTGRES_TEXT = `lower((slug || chr(10) || destination || chr(10) || coalesce(title, '')) COLLATE "C")`;

/** pg_trgm has letters and digits in its index, and nothing of what stands between them. */
const WORD = /[\p{L}\p{N}]{3}/u;
const ASCII_WORD = /[a-z0-9]{3}/;

async function ofPostgres(text: string): Promise<Source | null> {
  const { isThere, knowsLetters } = await indexOf(database());
  if (!isThere || !(knowsLetters ? WORD : ASCII_WORD).test(text)) return null;
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
  isThere: boolean;
  /** Its database takes letters beyond A to Z for letters. */
  knowsLetters: boolean;
}

/** Asked once for each opening of the store. */
const known = new WeakMap<object, Promise<TextIndex>>();

function indexOf(store: object): Promise<TextIndex> {
  const asked = known.get(store) ?? ask();
  known.set(store, asked);
  asked.catch(() => known.delete(store));
  return asked;
}

async function ask(): Promise<TextIndex> {
  const [answer] = await select<TextIndex>(
    `SELECT to_regclass('links_search') IS NOT NULL AS "isThere", 'ä' ~ '[[:alpha:]]' AS "knowsLetters"`,
  );
  return answer as TextIndex;
}
