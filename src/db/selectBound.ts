import type { ClientBase } from 'pg';
import type { Sequelize, Transaction } from 'sequelize';
import { log } from '../kernel/log.ts';
import { sha256 } from '../kernel/secrets.ts';
import { database, dialect } from './database.ts';
import { heldScope } from './holdCommit.ts';
import type { SqliteConnection } from './SqliteConnection.ts';

/**
 * Rows of a hand-written statement with the parameters $1, $2, …, which travel beside it and are never parsed. It goes
 * straight to the driver: what Sequelize does around a query costs several times as much as most statements. Connections,
 * transactions and errors are Sequelize's all the same.
 */
export async function selectBound<Row extends object>(
  sql: string,
  values: readonly unknown[],
  transaction?: Transaction,
): Promise<Row[]> {
  return run(sql, values, transaction);
}

/**
 * The same for a statement that is asked all the time: PostgreSQL parses and plans it once for each connection, until the
 * next ANALYZE. Not for one whose plan follows from how large a table is: it may read all of it when it has grown.
 */
export async function selectPrepared<Row extends object>(
  sql: string,
  values: readonly unknown[],
  transaction?: Transaction,
): Promise<Row[]> {
  return run(sql, values, transaction, nameOf(sql));
}

/** The same outside of whatever transaction the caller is in, given up after so long. */
export async function selectApart<Row extends object>(
  sql: string,
  values: readonly unknown[],
  timeoutMs: number,
): Promise<Row[]> {
  return run(sql, values, null, nameOf(sql), timeoutMs);
}

async function run<Row extends object>(
  sql: string,
  values: readonly unknown[],
  transaction: Transaction | null = heldScope()?.transaction ?? null,
  name?: string,
  timeoutMs?: number,
): Promise<Row[]> {
  const { connectionManager } = database() as unknown as { connectionManager: ConnectionManager };
  refuseEnded(transaction, sql);
  const connection = transaction
    ? (transaction as unknown as { connection: unknown }).connection
    : await connectionManager.getConnection({ type: 'SELECT' });
  log.trace({ sql }, 'sql');
  try {
    return (await RUN[dialect()](connection, sql, values, name, timeoutMs)) as Row[];
  } catch (error) {
    throw knownError(connection, error);
  } finally {
    if (!transaction) connectionManager.releaseConnection(connection);
  }
}

interface ConnectionManager {
  getConnection(options: object): Promise<unknown>;
  releaseConnection(connection: unknown): void;
}

const RUN = {
  sqlite(connection: unknown, sql: string, values: readonly unknown[]): Promise<unknown[]> {
    const named = Object.fromEntries(values.map((value, at) => [`$${at + 1}`, value]));
    return new Promise((resolve, reject) =>
      (connection as SqliteConnection).all(sql, named, (error: Error | null, rows?: unknown[]) =>
        error ? reject(error) : resolve(rows ?? []),
      ),
    );
  },
  async postgres(
    connection: unknown,
    sql: string,
    values: readonly unknown[],
    name?: string,
    timeoutMs?: number,
  ): Promise<unknown[]> {
    const asked = {
      text: sql,
      values: [...values],
      ...(name ? { name } : {}),
      ...(timeoutMs ? { query_timeout: timeoutMs } : {}),
    };
    return (await (connection as ClientBase).query(asked)).rows;
  },
};

/** Of each text, of which there are some hundred. */
const names = new Map<string, string>();

function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known) return known;
  const name = `svc_${sha256(sql).slice(0, 24)}`;
  names.set(sql, name);
  return name;
}

/** Its connection may be somebody else's by now. */
function refuseEnded(transaction: Transaction | null, sql: string): void {
  const ended = (transaction as unknown as { finished?: string } | null)?.finished;
  if (ended) throw new Error(`The transaction has ended (${ended}) that this belongs to: ${sql.slice(0, 200)}`);
}

/** The error as everybody knows it who asks through Sequelize. */
function knownError(connection: unknown, error: unknown): unknown {
  if ((error as { code?: unknown }).code === 'ECONNRESET') (connection as { _invalid?: boolean })._invalid = true;
  const { Query } = (database() as unknown as { dialect: { Query: QueryClass } }).dialect;
  return new Query(connection, database(), {}).formatError(error, new Error().stack);
}

type QueryClass = new (
  connection: unknown,
  sequelize: Sequelize,
  options: object,
) => { formatError(error: unknown, stack?: string): Error };
