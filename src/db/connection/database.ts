import path from 'node:path';
import pg from 'pg';
import { type Options, Sequelize, type Transaction } from 'sequelize';
import type { Config } from '../../kernel/config.ts';
import { log } from '../../kernel/log.ts';
import { StoreUnresponsive } from '../../kernel/storeResponse.ts';
import { type FailureKind, failureOfCode, type ServerError } from '../storeFailures.ts';
import {
  connectionOf,
  destroySocket,
  discardUnfitConnections,
  markBroken,
  onServerError,
  poolStateOf,
  prepareConnections,
  startSortingLast,
} from './internals.ts';
import { useSqliteConnections } from './sqlitePool.ts';
import { traceStatementsOf } from './tracedStatements.ts';

export type Dialect = 'sqlite' | 'postgres';

/** The one open store of this process: SQLite in DATA_DIR, or PostgreSQL at DATABASE_URL. */
let sequelize: Sequelize | null = null;

/** Opens the store that the settings name. Throws when it cannot be reached. */
export async function openDatabase(config: Config): Promise<Sequelize> {
  sequelize = config.databaseUrl ? postgres(config, config.databaseUrl) : sqlite(config);
  await sequelize.authenticate();
  return sequelize;
}

/** Closes what belongs to the store, and then every connection. It is safe to call it twice. */
export async function closeDatabase(): Promise<void> {
  const open = sequelize;
  if (!open) return;
  for (const close of (closers.get(open) ?? []).splice(0).reverse()) {
    try {
      await close();
    } catch (error) {
      log.warn({ err: error }, 'what belongs to the store did not close cleanly');
    }
  }
  if (sequelize !== open) return;
  sequelize = null;
  await open.close();
}

const closers = new WeakMap<Sequelize, (() => unknown)[]>();

/** Runs `close` before this store is closed. */
export function beforeClose(store: Sequelize, close: () => unknown): void {
  closers.set(store, [...(closers.get(store) ?? []), close]);
}

/** The open store. Throws before `openDatabase` and after `closeDatabase`. */
export function database(): Sequelize {
  if (!sequelize) throw new Error('The database is not open');
  return sequelize;
}

export function dialect(): Dialect {
  return database().getDialect() as Dialect;
}

/** Whether other processes may use the store too. SQLite belongs to one process, which locks its folder. */
export function isStoreShared(): boolean {
  return dialect() === 'postgres';
}

function sqlite(config: Config): Sequelize {
  const store = new Sequelize({
    ...common,
    dialect: 'sqlite',
    storage: path.join(config.dataDir, 'svc.sqlite'),
  });
  useSqliteConnections(store, config.sqliteSynchronous);
  return store;
}

function postgres(config: Config, url: string): Sequelize {
  // BIGINT as numbers: our counters stay far below 2^53.
  pg.defaults.parseInt8 = true;
  const store = new Sequelize(url, {
    ...common,
    dialect: 'postgres',
    dialectOptions: {
      application_name: `svc-${config.role}`,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      query_timeout: config.databaseQuerySeconds * 1000,
    },
    pool: { max: config.databasePoolSize, min: 1, acquire: 15_000, idle: 30_000 },
  });
  prepareConnections(store, async (client) => {
    clients.add(client);
    client.once('end', () => clients.delete(client));
    traceStatementsOf(client);
    onServerError(client, (error) => noteFailure(client, error));
    await client.query(SESSION);
  });
  startSortingLast(store);
  discardUnfitConnections(store, (error) => log.warn({ err: error }, 'a connection with a timed-out query was closed'));
  return store;
}

/** The connections of the PostgreSQL pool in figures; all 0 while no store is open. */
export function poolState(): ReturnType<typeof poolStateOf> {
  return sequelize ? poolStateOf(sequelize) : { size: 0, used: 0, waiting: 0, max: 0 };
}

/** The first failure of the store on a connection since the beginning of its transaction. */
const failed = new WeakMap<object, FailureKind>();

function noteFailure(client: pg.Client, error: ServerError): void {
  const kind = failureOfCode(error);
  if (kind === null) return;
  if (!failed.has(client)) failed.set(client, kind);
  // Behind a proxy, another connection may lead to the new primary, or to a session in order.
  if (kind === 'session' || error.code === READ_ONLY) markBroken(client);
}

/** SQLSTATE read_only_sql_transaction: a server that has become a standby. */
const READ_ONLY = '25006';

/** Begins to notice failures of a transaction that has just begun. Returns the first one, also one that was ignored, or null. */
export function watchFailures(transaction: Transaction): () => FailureKind | null {
  const connection = connectionOf(transaction);
  failed.delete(connection);
  return () => failed.get(connection) ?? null;
}

/** The open connections of the PostgreSQL pool. */
const clients = new Set<pg.Client>();

/** Cuts every connection to a PostgreSQL that does not respond: waiting queries fail, and new connections are opened. */
export function dropConnections(): void {
  const error = new StoreUnresponsive('the connection was dropped: the store does not respond');
  for (const client of [...clients]) destroySocket(client, error);
}

/**
 * JIT compilation takes longer than any statement of ours runs; not every store has the setting. The timeout ends a
 * transaction whose process was suspended in the middle of it: its locks would block every other process. A transaction that
 * waited for a lock reads what the one before it wrote, which READ COMMITTED says, whatever the default of the database.
 */
const SESSION = `SELECT set_config(name, 'off', false) FROM pg_settings WHERE name = 'jit';
  SET idle_in_transaction_session_timeout = '15s'; SET default_transaction_isolation = 'read committed'`;

const common: Options = {
  logging: (sql) => log.trace({ sql }, 'sql'),
  define: { underscored: true, freezeTableName: true },
};
