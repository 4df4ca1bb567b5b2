import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sequelize } from 'sequelize';
import { SqliteConnection, type TableInfos } from './SqliteConnection.ts';

/** Number of read-only connections. Each occupies at most one thread of the pool at a time. */
const READERS = 2;

interface ConnectionManager {
  getConnection(options: { uuid?: string }): Promise<SqliteConnection>;
  releaseConnection(connection: SqliteConnection, force?: boolean): void;
  _onProcessExit?(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Replaces Sequelize's SQLite connections. Sequelize opens a new one for each transaction, to which earlier pragmas do not
 * apply, and concurrent writers starve each other. Here all transactions share one writer (`inTransaction` queues them), and
 * queries outside of transactions use read-only connections.
 */
export function useSqliteConnections(store: Sequelize, synchronous: 'NORMAL' | 'FULL'): void {
  const manager = store.connectionManager as unknown as ConnectionManager;
  const file = (store as unknown as { options: { storage: string } }).options.storage;
  let opening: Promise<{ writer: SqliteConnection; readers: SqliteConnection[] }> | null = null;
  let lastReader = 0;

  const openAll = async () => {
    await mkdir(path.dirname(file), { recursive: true });
    // The writer comes first: it creates the file and turns on the write-ahead log, which readers need.
    const tableInfos: TableInfos = new Map();
    const writer = await open(file, tableInfos, [
      'PRAGMA journal_mode = WAL',
      `PRAGMA synchronous = ${synchronous}`,
      'PRAGMA wal_autocheckpoint = 4000',
    ]);
    const readers = await Promise.all(
      Array.from({ length: READERS }, () => open(file, tableInfos, ['PRAGMA query_only = ON'])),
    );
    return { writer, readers };
  };

  manager.getConnection = async ({ uuid }) => {
    opening ??= openAll();
    const { writer, readers } = await opening;
    if (uuid && uuid !== 'default') return writer;
    lastReader = (lastReader + 1) % READERS;
    return readers[lastReader] as SqliteConnection;
  };
  manager.releaseConnection = () => {};
  manager.close = async () => {
    if (!opening) return;
    const { writer, readers } = await opening;
    opening = null;
    for (const connection of [...readers, writer]) await close(connection);
  };
}

async function open(file: string, tableInfos: TableInfos, pragmas: string[]): Promise<SqliteConnection> {
  const connection = await SqliteConnection.open(file, tableInfos);
  for (const pragma of [
    'PRAGMA busy_timeout = 10000',
    'PRAGMA foreign_keys = ON',
    'PRAGMA cache_size = -65536',
    ...pragmas,
  ]) {
    await new Promise<void>((resolve, reject) => {
      connection.exec(pragma, (error) => (error ? reject(error) : resolve()));
    });
  }
  return connection;
}

/** Retries, because a statement that is not finalized yet keeps a connection busy for a moment. */
async function close(connection: SqliteConnection): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const busy = await new Promise<boolean>((resolve) => connection.close((error) => resolve(error !== null)));
    if (!busy) return;
    await delay(20);
  }
}
