import type { ClientBase } from 'pg';
import { QueryTypes, type Transaction } from 'sequelize';
import { log } from '../kernel/log.ts';
import { sha256 } from '../kernel/secrets.ts';
import { repeatOnConflict } from './conflicts.ts';
import { type Dialect, database, dialect } from './connection/database.ts';
import { withConnection } from './connection/internals.ts';
import type { SqliteConnection } from './connection/SqliteConnection.ts';
import type { SomeStore } from './tables.ts';
import { currentUnitOfWork } from './unitOfWork.ts';

/** Rows of a hand-written query with named parameters: `:name` is replaced by the value of that name. */
export async function query<Row extends object>(
  sql: string,
  replacements: Record<string, unknown> = {},
  transaction?: Transaction,
): Promise<Row[]> {
  return database().query<Row>(sql, { type: QueryTypes.SELECT, replacements, ...(transaction ? { transaction } : {}) });
}

/**
 * Rows of a hand-written statement with the parameters $1, $2, …, which are sent separately and never parsed. The
 * statement goes straight to the driver, because Sequelize's own work per query costs several times as much as most
 * statements. Connections, transactions and errors are those of Sequelize. Without `transaction` it runs in the one of the
 * current unit of work, if there is one.
 */
export async function queryRaw<Row extends object>(
  sql: string,
  values: readonly unknown[],
  transaction?: Transaction,
): Promise<Row[]> {
  return run(sql, values, transaction);
}

/** The open store for functions that take any store; within `transaction`, if one is given. */
export function openStoreIn(transaction?: Transaction): SomeStore {
  return { dialect: dialect(), all: (sql, values = []) => queryRaw(sql, values, transaction) };
}

/**
 * Like `queryRaw`, for frequent statements: PostgreSQL parses and plans them once per connection, until the next ANALYZE.
 * Not for a statement whose plan depends on the size of its table: the plan for a small table reads all of a large one.
 */
export async function queryPrepared<Row extends object>(
  sql: string,
  values: readonly unknown[],
  transaction?: Transaction,
): Promise<Row[]> {
  return run(sql, values, transaction, { prepared: true });
}

/** Like `queryPrepared`, but outside of any transaction of the caller, and with a timeout on PostgreSQL. */
export async function queryDetached<Row extends object>(
  sql: string,
  values: readonly unknown[],
  timeoutMs: number,
): Promise<Row[]> {
  return run(sql, values, null, { prepared: true, timeoutMs });
}

/** Adds a value to the parameters of the statement that is being written, and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** Rows of a statement whose parts add their own parameters with `bind`, in any order. */
export async function buildQuery<Row extends object>(
  write: (bind: Bind) => string,
  transaction?: Transaction,
): Promise<Row[]> {
  const values: unknown[] = [];
  const sql = write((value) => `$${values.push(value)}`);
  return queryRaw<Row>(sql, values, transaction);
}

/** For PostgreSQL alone: SQLite prepares every statement, and its driver has no timeouts. */
interface RunOptions {
  prepared?: boolean;
  timeoutMs?: number;
}

async function run<Row extends object>(
  sql: string,
  values: readonly unknown[],
  transaction: Transaction | null = currentUnitOfWork()?.transaction ?? null,
  options: RunOptions = {},
): Promise<Row[]> {
  log.trace({ sql }, 'sql');
  const send = SEND[dialect()];
  const runOnce = () =>
    withConnection(database(), transaction, sql, (connection) => send(connection, sql, values, options));
  // A statement by itself is a transaction of its own.
  return (await (transaction ? runOnce() : repeatOnConflict(runOnce))) as Row[];
}

type Send = (connection: unknown, sql: string, values: readonly unknown[], options: RunOptions) => Promise<unknown[]>;

const SEND: Record<Dialect, Send> = {
  sqlite(connection, sql, values) {
    const named = Object.fromEntries(values.map((value, at) => [`$${at + 1}`, value]));
    return new Promise((resolve, reject) =>
      (connection as SqliteConnection).all(sql, named, (error: Error | null, rows?: unknown[]) =>
        error ? reject(error) : resolve(rows ?? []),
      ),
    );
  },
  async postgres(connection, sql, values, { prepared, timeoutMs }) {
    const name = prepared ? { name: nameOf(sql) } : {};
    const timeout = timeoutMs === undefined ? {} : { query_timeout: timeoutMs };
    return (await (connection as ClientBase).query({ text: sql, values: [...values], ...name, ...timeout })).rows;
  },
};

/** Names of prepared statements by their text; there are some hundred. */
const names = new Map<string, string>();

function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known) return known;
  const name = `svc_${sha256(sql).slice(0, 24)}`;
  names.set(sql, name);
  return name;
}
