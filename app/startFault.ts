import path from 'node:path';
import { ClicksUnavailable } from '../src/clicks/clickhouse/connection.ts';
import { DataDirHangs, DataDirInUse, HalfRestored } from '../src/db/dataDir.ts';
import { StoreIsNewer, StoreIsOlder } from '../src/db/migrationRecords.ts';
import { ConfigError, config } from '../src/kernel/config.ts';
import { DISK_FAULTS } from '../src/kernel/diskFailures.ts';
import { KeyFileMissing, SealedWithAnotherKey } from '../src/kernel/secrets.ts';

/** The sentence to print when the start fails because of the environment: what is wrong and what to do. Null for a bug. */
export function startFault(thrown: unknown): string | null {
  for (let error = thrown; error instanceof Error; error = parentOf(error)) {
    if (HAVE_MESSAGES.some((kind) => error instanceof kind)) return error.message;
    // Its cause has the codes that are those of DATABASE_URL below.
    if (error instanceof ClicksUnavailable) return `${error.message}; see CLICKS_URL.`;
    const { code = '' } = error as NodeJS.ErrnoException;
    const sentence = ofListening(error) ?? ofDatabase(code, error) ?? ofDataDir(code, error);
    if (sentence) return sentence;
  }
  return null;
}

const HAVE_MESSAGES = [
  ConfigError,
  DataDirInUse,
  DataDirHangs,
  HalfRestored,
  KeyFileMissing,
  SealedWithAnotherKey,
  StoreIsNewer,
  StoreIsOlder,
];

function parentOf(error: Error): unknown {
  return (error as { parent?: unknown }).parent ?? error.cause;
}

function ofListening(error: NodeJS.ErrnoException & { address?: string; port?: number }): string | null {
  if (error.syscall !== 'listen') return null;
  const { code, port = config.port, address } = error;
  const setting = port === config.metricsPort?.port ? 'METRICS_PORT' : port === config.askPort ? 'ASK_PORT' : 'PORT';
  const place = `, or set ${setting} to another one`;
  if (code === 'EADDRINUSE') return `Port ${port} is in use by another program. Stop it${place}.`;
  if (code === 'EACCES') return `This user may not listen on port ${port}. Run as another user${place}.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${address ?? config.host} is not an address of this machine. Set HOST to one that is, or leave it unset.`;
  return null;
}

const OF_POSTGRES: Record<string, (name: string) => string> = {
  '3D000': (name) => `There is no database ${name}. Create it (CREATE DATABASE), or set DATABASE_URL to another one.`,
  '28P01': (name) => `The password for ${name} is wrong; see DATABASE_URL.`,
  '28000': (name) => `The server refuses this user for ${name}; see DATABASE_URL and the server's pg_hba.conf.`,
  '42501': (name) =>
    `The user of DATABASE_URL may not create tables in ${name}. Make it the owner of the database, or grant it rights on the schema.`,
  '53300': (name) =>
    `The server of ${name} accepts no more connections. Raise its max_connections or lower DATABASE_POOL_SIZE.`,
  '57P03': (name) => `The server of ${name} is starting or stopping. Try again in a moment.`,
  ECONNREFUSED: (name) => `The server of ${name} refuses connections; see DATABASE_URL.`,
  ENOTFOUND: (name) => `The host name of the server of ${name} does not exist; see DATABASE_URL.`,
  EAI_AGAIN: (name) => `The host name of the server of ${name} cannot be looked up at the moment; see DATABASE_URL.`,
  EHOSTUNREACH: (name) => `There is no route to the server of ${name}; see DATABASE_URL.`,
};

function ofDatabase(code: string, error: Error): string | null {
  if (!config.databaseUrl) return null;
  const { host, pathname } = new URL(config.databaseUrl);
  const name = `${decodeURIComponent(pathname.slice(1)) || 'postgres'} at ${host}`;
  if (/timeout expired|Connection terminated due to connection timeout|Connection timed out/.test(error.message))
    return `The server of ${name} does not respond; see DATABASE_URL.`;
  return OF_POSTGRES[code]?.(name) ?? null;
}

const OF_FILES: Record<string, string> = {
  ...DISK_FAULTS,
  EEXIST: 'is a file, not a folder',
  ENOTDIR: 'is a file, or inside one',
  ENOENT: 'cannot be created there',
  SQLITE_CANTOPEN: 'cannot be written by this user',
  SQLITE_READONLY: 'cannot be written by this user',
  SQLITE_FULL: 'is on a full disk',
  SQLITE_IOERR: 'is on a failing or full disk',
  SQLITE_NOTADB: 'contains a svc.sqlite that is not a SQLite database; restore it from a backup',
  SQLITE_CORRUPT: 'contains a damaged svc.sqlite; restore it from a backup',
};

function ofDataDir(code: string, error: NodeJS.ErrnoException): string | null {
  const said = OF_FILES[code];
  if (!said) return null;
  const folder = path.resolve(config.dataDir);
  const isOther =
    error.path !== undefined && !path.resolve(error.path).startsWith(folder) && !folder.startsWith(error.path);
  if (isOther) return null;
  const where = error.path && path.resolve(error.path) !== folder ? ` (${error.path})` : '';
  return `DATA_DIR ${folder} ${said}${where}. Fix that, or set DATA_DIR to another folder.`;
}
