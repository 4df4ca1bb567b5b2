import { isSealedByPresentKey } from '../kernel/secrets.ts';
import { inTransaction } from './inTransaction.ts';
import { SEALED_COLUMNS, type SealedColumn, sealFor, unsealFor } from './sealedColumns.ts';
import { selectBound } from './selectBound.ts';

const BATCH = 200;

export interface Resealed {
  table: string;
  /** Sealed anew, by the present key and for their place. */
  resealed: number;
  /** They were so before. */
  upToDate: number;
  /** By none of the keys that are known, or damaged. They stay as they are. */
  unreadable: number;
}

/**
 * Seals every stored secret anew with the present key, so that former ones can be taken out of SECRET_KEY_PREVIOUS. Can be
 * repeated, and stopped at any moment. What is changed meanwhile is left alone: it is sealed with the present key already.
 */
export async function reseal(): Promise<Resealed[]> {
  const results: Resealed[] = [];
  for (const name of Object.keys(SEALED_COLUMNS) as SealedColumn[]) results.push(await resealColumn(name));
  return results;
}

async function resealColumn(name: SealedColumn): Promise<Resealed> {
  const result: Resealed = { table: SEALED_COLUMNS[name].table, resealed: 0, upToDate: 0, unreadable: 0 };
  let after: string[] | null = null;
  for (;;) {
    const rows = await readRows(name, after);
    for (const row of rows) result[await resealRow(name, row)] += 1;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return result;
    after = last.ids;
  }
}

interface SealedRow {
  ids: string[];
  sealed: string;
}

/** The next rows in the order of their keys. */
async function readRows(name: SealedColumn, after: string[] | null): Promise<SealedRow[]> {
  const { table, column, key, where } = SEALED_COLUMNS[name];
  const conditions = [
    `${column} IS NOT NULL`,
    ...(where ? [where] : []),
    ...(after ? [`(${key.join(', ')}) > (${key.map((_, at) => `$${at + 1}`).join(', ')})`] : []),
  ];
  const rows = await selectBound<Record<string, string>>(
    `SELECT ${key.join(', ')}, ${column} AS sealed FROM ${table} WHERE ${conditions.join(' AND ')}
     ORDER BY ${key.join(', ')} LIMIT ${BATCH}`,
    after ?? [],
  );
  return rows.map((row) => ({ ids: key.map((part) => row[part] ?? ''), sealed: row.sealed ?? '' }));
}

async function resealRow(name: SealedColumn, { ids, sealed }: SealedRow): Promise<Exclude<keyof Resealed, 'table'>> {
  if (isSealedByPresentKey(sealed)) return 'upToDate';
  const { table, column, key } = SEALED_COLUMNS[name];
  let plain: string;
  try {
    plain = unsealFor(name, ids, sealed);
  } catch {
    return 'unreadable';
  }
  const isRow = key.map((part, at) => `${part} = $${at + 3}`).join(' AND ');
  await inTransaction((transaction) =>
    selectBound(
      `UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND ${isRow} RETURNING 1 AS written`,
      [sealFor(name, ids, plain), sealed, ...ids],
      transaction,
    ),
  );
  return 'resealed';
}
