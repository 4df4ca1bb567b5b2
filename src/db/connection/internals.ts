import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { type Model, type ModelStatic, Sequelize, Transaction } from 'sequelize';
import { PostgresClient } from './postgresClient.ts';
import type { SqliteConnection } from './SqliteConnection.ts';

/**
 * Everything that this product knows of the insides of Sequelize and of pg, which their types do not promise: package.json
 * pins the versions, and an upgrade begins with this file. The connections of SQLite are replaced in sqlitePool.ts.
 */

/**
 * Has queries that name no transaction run in the one that `current` returns. Sequelize asks this hook, which is meant for
 * cls-hooked, for each such query.
 */
export function useAmbientTransaction(current: () => Transaction | null): void {
  Sequelize.useCLS({
    bind: (listener: unknown) => listener,
    run: (callback: (context: object) => unknown) => callback({}),
    get: () => current() ?? undefined,
    set: () => {},
  } as never);
}

/** Connections of a pool: open ones, those at work, requests that wait for one, and the most that it opens. */
interface PoolState {
  size: number;
  used: number;
  waiting: number;
  max: number;
}

/** The state of the pool of connections to PostgreSQL. */
export function poolStateOf(store: Sequelize): PoolState {
  const { size, using, waiting, maxSize } = (store.connectionManager as unknown as ConnectionManager).pool;
  return { size, used: using, waiting, max: maxSize };
}

interface ConnectionManager {
  lib: typeof pg;
  connect(config: object): Promise<pg.Client>;
  pool: { destroy(connection: object): Promise<void>; size: number; using: number; waiting: number; maxSize: number };
  getConnection(options: object): Promise<object>;
  releaseConnection(connection: object): void;
}

/**
 * Runs `work` on the connection of a transaction, or on one of the pool. Errors of the driver become those that Sequelize
 * throws. Throws when the transaction has ended, because its connection may belong to another one by now; that error names
 * `sql`.
 */
export async function withConnection<Result>(
  store: Sequelize,
  transaction: Transaction | null,
  sql: string,
  work: (connection: unknown) => Promise<Result>,
): Promise<Result> {
  const { connection: own, finished } = (transaction ?? {}) as { connection?: object; finished?: string };
  if (finished) throw new Error(`The transaction of this query has ended (${finished}): ${sql.slice(0, 200)}`);
  const manager = store.connectionManager as unknown as ConnectionManager;
  const connection = own ?? (await manager.getConnection({ type: 'SELECT' }));
  try {
    return await work(connection);
  } catch (error) {
    throw sequelizeError(store, connection, error);
  } finally {
    if (!transaction) manager.releaseConnection(connection);
  }
}

/** The oldest version that is supported; Sequelize writes the same statements for all later ones. */
const OLDEST_POSTGRES = '13.0.0';

/**
 * Has the pool open connections whose `error` events never end the process, and `prepare` set each of them up. A connection whose
 * set-up fails is closed; Sequelize would leave it open, one for each attempt, until the server accepts no more.
 */
export function prepareConnections(store: Sequelize, prepare: (client: pg.Client) => Promise<void>): void {
  const manager = store.connectionManager as unknown as ConnectionManager;
  // Without it Sequelize opens one more connection to ask, and leaves that open too when the server does not say.
  Object.assign((store as unknown as { options: object }).options, { databaseVersion: OLDEST_POSTGRES });
  let made: pg.Client | undefined;
  class PoolClient extends PostgresClient {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      made = this;
    }
  }
  manager.lib = Object.create(manager.lib, { Client: { value: PoolClient } });
  const connect = manager.connect.bind(manager);
  manager.connect = async (config) => {
    // It makes its client before it waits for anything.
    const connecting = connect(config);
    const client = made;
    try {
      const connected = await connecting;
      await prepare(connected);
      return connected;
    } catch (error) {
      void client?.end().catch(() => {});
      throw error;
    }
  };
}

/** Calls `listener` with each error that the server sends on a connection, also those that callers ignore. */
export function onServerError(
  client: pg.Client,
  listener: (error: { code?: string; severity?: string }) => void,
): void {
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.on('errorMessage', listener);
}

/** Has the pool close a connection instead of lending it again. */
export function markBroken(client: object): void {
  Object.assign(client, { _invalid: true });
}

/** The connection of an open transaction. */
export function connectionOf(transaction: Transaction): object {
  return (transaction as unknown as { connection: object }).connection;
}

interface OpenTransaction {
  connection: unknown;
  finished?: 'commit' | 'rollback';
  _afterCommitHooks: ((transaction: Transaction) => unknown)[];
  cleanup(): void;
  forceCleanup(): Promise<void>;
}

/**
 * Commits, then runs the hooks for `afterCommit`; throws when nothing was committed. Sequelize would run the hooks after a
 * failed COMMIT too, would leave the transaction on SQLite open then, and would not notice that PostgreSQL answers COMMIT
 * with ROLLBACK when the error of a statement was ignored.
 */
export async function commit(store: Sequelize, transaction: Transaction): Promise<void> {
  const open = transaction as unknown as OpenTransaction;
  const hooks = open._afterCommitHooks.splice(0);
  const send = store.getDialect() === 'postgres' ? commitOnPostgres : commitOnSqlite;
  try {
    const isCommitted = await withConnection(store, transaction, 'COMMIT', send);
    if (!isCommitted) throw new Error('The transaction was rolled back, because the error of a statement was ignored');
    open.finished = 'commit';
    open.cleanup();
  } catch (error) {
    open.finished = 'rollback';
    // Without an answer of the server, the connection is of no use.
    await (isLost(error) ? open.forceCleanup() : open.cleanup());
    throw error;
  }
  for (const hook of hooks) await hook(transaction);
}

/**
 * Rolls back as Sequelize does, but writes nothing on the console, where the log is lines of JSON. A connection that cannot roll
 * back is closed, with which the server rolls back.
 */
Transaction.prototype.rollback = async function rollBack(): Promise<void> {
  const open = this as unknown as OpenTransaction & { sequelize: Sequelize; options: object };
  if (open.finished) throw new Error(`The transaction has ended already (${open.finished})`);
  const queries = open.sequelize.getQueryInterface() as unknown as {
    rollbackTransaction(transaction: Transaction, options: object): Promise<void>;
  };
  try {
    await queries.rollbackTransaction(this, open.options);
    open.cleanup();
  } catch (error) {
    await open.forceCleanup().catch(() => {});
    throw error;
  }
};

async function commitOnPostgres(connection: unknown): Promise<boolean> {
  return (await (connection as pg.Client).query('COMMIT')).command === 'COMMIT';
}

async function commitOnSqlite(connection: unknown): Promise<boolean> {
  const run = (sql: string) =>
    new Promise<void>((resolve, reject) =>
      (connection as SqliteConnection).run(sql, (error: Error | null) => (error ? reject(error) : resolve())),
    );
  try {
    await run('COMMIT;');
    return true;
  } catch (error) {
    // SQLite may have rolled back by itself.
    await run('ROLLBACK;').catch(() => {});
    throw error;
  }
}

/** Whether an error of COMMIT came from the way to PostgreSQL, or ended the session there. */
function isLost(error: unknown): boolean {
  const { original } = error as { original?: unknown };
  return original instanceof pg.DatabaseError
    ? original.severity !== 'ERROR'
    : original !== undefined && !(original as { code?: string }).code?.startsWith('SQLITE_');
}

type QueryClass = new (
  connection: object,
  store: Sequelize,
  options: object,
) => { formatError(error: unknown, stack?: string): Error };

function sequelizeError(store: Sequelize, connection: object, error: unknown): unknown {
  if ((error as { code?: unknown }).code === 'ECONNRESET') markBroken(connection);
  const { Query } = (store as unknown as { dialect: { Query: QueryClass } }).dialect;
  return new Query(connection, store, {}).formatError(error, new Error().stack);
}

/** What PostgreSQL says of a session that is not in a transaction. */
const IDLE = 'I';

/**
 * Closes a connection of PostgreSQL that comes back to the pool with a query in flight, which had timed out, or with a
 * transaction that did not end: every later query would wait behind the one, or run in the other.
 */
export function discardUnfitConnections(store: Sequelize, onError: (error: unknown) => void): void {
  const manager = store.connectionManager as unknown as ConnectionManager;
  const release = manager.releaseConnection.bind(manager);
  manager.releaseConnection = (connection) => {
    const { _activeQuery, _txStatus } = connection as { _activeQuery?: object | null; _txStatus?: string | null };
    if (!_activeQuery && (_txStatus ?? IDLE) === IDLE) return release(connection);
    markBroken(connection);
    void manager.pool.destroy(connection).catch(onError);
  };
}

/** An option of transactions: their start and the setting are one message. */
export const SORTS_LAST = 'sortsLast';

interface TransactionQueries {
  startTransactionQuery(transaction: { options: Record<string, unknown> }): string;
}

/** Makes transactions with the option `SORTS_LAST` sort only where no index has the order. */
export function startSortingLast(store: Sequelize): void {
  const { queryGenerator } = store.getQueryInterface() as unknown as { queryGenerator: TransactionQueries };
  const start = queryGenerator.startTransactionQuery.bind(queryGenerator);
  queryGenerator.startTransactionQuery = (transaction) =>
    start(transaction) + (transaction.options[SORTS_LAST] ? ' SET LOCAL enable_sort = off;' : '');
}

/** Cuts the socket of a PostgreSQL client. Its queries fail with `error`. */
export function destroySocket(client: pg.Client, error: Error): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy(error);
}

/**
 * Lifts the query timeout of a connection, or of that of a transaction, and those of the server, until `restore` is called: for
 * work that takes as long as a table is large. SQLite has none.
 */
export async function liftQueryTimeout(
  holder: Transaction | { connection: unknown },
): Promise<{ restore(): Promise<void> }> {
  const { connection } = holder as {
    connection: pg.Client & { connectionParameters?: { query_timeout: number } };
  };
  const parameters = connection.connectionParameters;
  if (!parameters) return { async restore() {} };
  const before = parameters.query_timeout;
  parameters.query_timeout = 0;
  // For a transaction until it ends.
  const isLocal = holder instanceof Transaction;
  await connection.query(setServerTimeouts("'0'", isLocal));
  return {
    async restore() {
      parameters.query_timeout = before;
      if (!isLocal) await connection.query(setServerTimeouts('reset_val', isLocal));
    },
  };
}

/** The second one came with PostgreSQL 17. */
function setServerTimeouts(value: string, isLocal: boolean): string {
  return `SELECT set_config(name, ${value}, ${isLocal}) FROM pg_settings WHERE name IN ('statement_timeout', 'transaction_timeout')`;
}

/**
 * A model of a row in the store: what `model.build` makes of raw values, without going over each of them several times.
 * `attributes` has the names of the model and values that are parsed already.
 */
export function modelOfRow<Row extends Model>(model: ModelStatic<Row>, attributes: Record<string, unknown>): Row {
  return Object.assign(model.build(undefined, { isNewRecord: false, raw: true }), {
    dataValues: attributes,
    _previousDataValues: { ...attributes },
  });
}
