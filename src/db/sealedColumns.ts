import { isSealedByPresentKey, seal, sealedPrefixes, unseal } from '../kernel/secrets.ts';
import { queryRaw } from './query.ts';
import type { SomeStore } from './tables.ts';
import { inTransaction } from './transactions.ts';

/** Every column with encrypted values: its table, the key of a row, and a condition if only some values are encrypted. */
export const SEALED_COLUMNS = {
  webhookSecrets: { table: 'webhooks', column: 'secrets', key: ['id'], where: null },
  secondFactor: { table: 'users', column: 'totp_secret', key: ['id'], where: null },
  mailContent: { table: 'mails', column: 'content', key: ['id'], where: null },
  storedAnswer: {
    table: 'idempotency_records',
    column: 'body',
    key: ['key_id', 'idempotency_key'],
    where: 'is_sealed',
  },
  firstAccount: { table: 'first_account', column: 'sealed', key: ['id'], where: null },
  visitorKey: { table: 'visitor_keys', column: 'key', key: ['day'], where: null },
} as const;

/** Columns of a store with a value that could be decrypted, and with one that could not. */
export interface SealedResult {
  readable: string[];
  unreadable: string[];
}

/** Decrypts the first value of every encrypted column that has any. */
export async function trySealedValues(store: SomeStore): Promise<SealedResult> {
  const result: SealedResult = { readable: [], unreadable: [] };
  for (const name of Object.keys(SEALED_COLUMNS) as SealedColumn[]) {
    const { table, column, key } = SEALED_COLUMNS[name];
    const [row] = await store.all<Record<string, string>>(
      `SELECT ${key.join(', ')}, ${column} AS sealed FROM ${table} WHERE ${isSealed(name)} LIMIT 1`,
    );
    if (!row) continue;
    const ids = key.map((part) => row[part] ?? '');
    result[isReadable(name, ids, row.sealed ?? '') ? 'readable' : 'unreadable'].push(`${table}.${column}`);
  }
  return result;
}

/** Whether any value was encrypted with one of the configured keys. It may go through all of them. */
export async function hasValueOfOurKeys(store: SomeStore): Promise<boolean> {
  for (const name of Object.keys(SEALED_COLUMNS) as SealedColumn[]) {
    const { table, column } = SEALED_COLUMNS[name];
    const isOurs = sealedPrefixes().map((prefix) => `${column} LIKE '${prefix}%'`);
    const rows = await store.all(
      `SELECT 1 AS one FROM ${table} WHERE ${isSealed(name)} AND (${isOurs.join(' OR ')}) LIMIT 1`,
    );
    if (rows.length > 0) return true;
  }
  return false;
}

function isSealed(name: SealedColumn): string {
  const { column, where } = SEALED_COLUMNS[name];
  return `${column} IS NOT NULL${where ? ` AND ${where}` : ''}`;
}

function isReadable(name: SealedColumn, ids: readonly string[], sealed: string): boolean {
  try {
    unsealFor(name, ids, sealed);
    return true;
  } catch {
    return false;
  }
}

type SealedColumn = keyof typeof SEALED_COLUMNS;

/** Encrypts a value for the row with the key `ids`, in the order of the column's `key`. */
export function sealFor(name: SealedColumn, ids: readonly string[], plain: string): string {
  return seal(plain, placeOf(name, ids));
}

/** Decrypts a value of that row. Throws when it was encrypted for another row, or with a key that is not configured. */
export function unsealFor(name: SealedColumn, ids: readonly string[], sealed: string): string {
  return unseal(sealed, placeOf(name, ids));
}

function placeOf(name: SealedColumn, ids: readonly string[]): string {
  const { table, column } = SEALED_COLUMNS[name];
  return [table, column, ...ids].join(':');
}

const BATCH = 200;

interface Resealed {
  table: string;
  /** Rows that were encrypted again with the current key. */
  resealed: number;
  /** Rows that used the current key already. */
  upToDate: number;
  /** Rows that no configured key can decrypt. They stay as they are. */
  unreadable: number;
}

/**
 * Encrypts every stored secret again with the current key, so that former keys can be removed from SECRET_KEY_PREVIOUS. It
 * can be repeated, and stopped at any time. A value that changes meanwhile is skipped: it uses the current key already.
 * `onBatch` gets how many rows of a table were read while there are more; it may throw to stop.
 */
export async function reseal(onBatch: OnBatch = () => {}): Promise<Resealed[]> {
  const results: Resealed[] = [];
  for (const name of Object.keys(SEALED_COLUMNS) as SealedColumn[]) results.push(await resealColumn(name, onBatch));
  return results;
}

type OnBatch = (table: string, rows: number) => void;

async function resealColumn(name: SealedColumn, onBatch: OnBatch): Promise<Resealed> {
  const result: Resealed = { table: SEALED_COLUMNS[name].table, resealed: 0, upToDate: 0, unreadable: 0 };
  let after: string[] | null = null;
  for (;;) {
    const rows = await readRows(name, after);
    for (const row of rows) result[await resealRow(name, row)] += 1;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return result;
    onBatch(result.table, result.resealed + result.upToDate + result.unreadable);
    after = last.ids;
  }
}

interface SealedRow {
  ids: string[];
  sealed: string;
}

/** The next rows after a key, in the order of the keys. */
async function readRows(name: SealedColumn, after: string[] | null): Promise<SealedRow[]> {
  const { table, column, key } = SEALED_COLUMNS[name];
  const conditions = [
    isSealed(name),
    ...(after ? [`(${key.join(', ')}) > (${key.map((_, at) => `$${at + 1}`).join(', ')})`] : []),
  ];
  const rows = await queryRaw<Record<string, string>>(
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
    queryRaw(
      `UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND ${isRow} RETURNING 1 AS written`,
      [sealFor(name, ids, plain), sealed, ...ids],
      transaction,
    ),
  );
  return 'resealed';
}
