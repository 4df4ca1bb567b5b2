import type { Socket } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { type Options, QueryTypes, Sequelize, type Transaction } from 'sequelize';
import type { Config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { StoreHangs } from '../kernel/storeSilence.ts';
import { useSqliteConnections } from './sqliteConnections.ts';

export type Dialect = 'sqlite' | 'postgres';

let sequelize: Sequelize | null = null;

/** Opens the store that the settings name. Throws when it can't be reached. */
export async function openDatabase(config: Config): Promise<Sequelize> {
  sequelize = config.databaseUrl ? postgres(config, config.databaseUrl) : sqlite(config);
  await sequelize.authenticate();
  return sequelize;
}

/** Closes every connection; may be called twice. */
export async function closeDatabase(): Promise<void> {
  const open = sequelize;
  sequelize = null;
  await open?.close();
}

/** The open store. Throws before `openDatabase` and after `closeDatabase`. */
export function database(): Sequelize {
  if (!sequelize) throw new Error('The database is not open');
  return sequelize;
}

export function dialect(): Dialect {
  return database().getDialect() as Dialect;
}

/** Rows of a hand-written query. `:name` takes the replacement of that name. */
export async function select<Row extends object>(
  sql: string,
  replacements: Record<string, unknown> = {},
  transaction?: Transaction,
): Promise<Row[]> {
  return database().query<Row>(sql, { type: QueryTypes.SELECT, replacements, ...(transaction ? { transaction } : {}) });
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
    dialectModule: pg,
    dialectOptions: {
      application_name: `svc-${config.role}`,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      query_timeout: config.databaseQuerySeconds * 1000,
    },
    pool: { max: config.databasePoolSize, min: 1, acquire: 15_000, idle: 30_000 },
  });
  store.addHook('afterConnect', async (connection) => {
    const client = connection as pg.Client;
    connections.add(client);
    client.once('end', () => connections.delete(client));
    await client.query(SESSION);
  });
  giveUpUnanswered(store);
  return store;
}

/** Of the pool of PostgreSQL. */
const connections = new Set<pg.Client>();

/** Cuts every connection to a PostgreSQL that hangs: whoever waits there fails, and new ones are made. */
export function dropConnections(): void {
  for (const { connection } of [...connections] as unknown as { connection: { stream: Socket } }[]) {
    connection.stream.destroy(new StoreHangs('the connection was given up: the store does not answer'));
  }
}

/** A question that was given up stays unanswered on its connection, where everything else would wait behind it. */
function giveUpUnanswered(store: Sequelize): void {
  const manager = store.connectionManager as unknown as {
    pool: { destroy(connection: object): Promise<void> };
    releaseConnection(connection: object): void;
  };
  const release = manager.releaseConnection.bind(manager);
  manager.releaseConnection = (connection) => {
    const { _activeQuery } = connection as { _activeQuery?: object | null };
    if (!_activeQuery) return release(connection);
    Object.assign(connection, { _invalid: true });
    void manager.pool.destroy(connection).catch((error) => log.warn({ err: error }, 'a connection was given up'));
  };
}

/** No question in this transaction is given up because it takes long: for migrations. */
export function waitForEver(transaction: Transaction): { end(): void } {
  const { connection } = transaction as unknown as { connection: { connectionParameters?: { query_timeout: number } } };
  const parameters = connection.connectionParameters;
  if (!parameters) return { end() {} };
  const before = parameters.query_timeout;
  parameters.query_timeout = 0;
  return {
    end() {
      parameters.query_timeout = before;
    },
  };
}

/**
 * To compile a statement takes longer than any of ours. And a process that is stopped in the middle of a transaction, by
 * a signal or a host that hangs, must not keep its locks: all others would wait for it.
 */
const SESSION = "SET jit = off; SET idle_in_transaction_session_timeout = '15s'";

const common: Options = {
  logging: (sql) => log.trace({ sql }, 'sql'),
  define: { underscored: true, freezeTableName: true },
};
