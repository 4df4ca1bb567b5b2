import path from 'node:path';
import { DataDirInUse } from './db/dataDirLock.ts';
import { DataDirHangs } from './db/guardDataDir.ts';
import { StoreIsNewer } from './db/migrate.ts';
import { ConfigError, config } from './kernel/config.ts';
import { SealedWithAnotherKey } from './kernel/secrets.ts';

/** What the world has against a start, in a sentence that says what to do; null for what is a fault of ours. */
export function startFault(thrown: unknown): string | null {
  for (let error = thrown; error instanceof Error; error = parentOf(error)) {
    if (SAYS_IT_ITSELF.some((kind) => error instanceof kind)) return error.message;
    const { code = '' } = error as NodeJS.ErrnoException;
    const sentence = ofListening(error) ?? ofDatabase(code, error) ?? ofDataDir(code, error);
    if (sentence) return sentence;
  }
  return null;
}

const SAYS_IT_ITSELF = [ConfigError, DataDirInUse, DataDirHangs, SealedWithAnotherKey, StoreIsNewer];

function parentOf(error: Error): unknown {
  return (error as { parent?: unknown }).parent ?? error.cause;
}

function ofListening(error: NodeJS.ErrnoException & { address?: string; port?: number }): string | null {
  if (error.syscall !== 'listen') return null;
  const { code, port = config.port, address } = error;
  const setting = port === config.metricsPort?.port ? 'METRICS_PORT' : port === config.askPort ? 'ASK_PORT' : 'PORT';
  const place = `, or set ${setting} to another one`;
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program. Stop that one${place}.`;
  if (code === 'EACCES') return `Port ${port} may not be listened on by this user${place}.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${address ?? config.host} is no address of this machine; set HOST to one that is, or leave it unset.`;
  return null;
}

const OF_POSTGRES: Record<string, (name: string) => string> = {
  '3D000': (name) => `There is no database ${name}. Make it (CREATE DATABASE), or set DATABASE_URL to another one.`,
  '28P01': (name) => `The password for ${name} is wrong; see DATABASE_URL.`,
  '28000': (name) => `The server refuses this user for ${name}; see DATABASE_URL and the server's pg_hba.conf.`,
  '42501': (name) =>
    `The user of DATABASE_URL may not make tables in ${name}. Give it the database, or rights to the schema.`,
  '53300': (name) =>
    `The server of ${name} takes no more connections; raise its max_connections or lower DATABASE_POOL_SIZE.`,
  '57P03': (name) => `The server of ${name} is starting or stopping. Try again in a moment.`,
  ECONNREFUSED: (name) => `Nothing answers at the server of ${name}; see DATABASE_URL.`,
  ENOTFOUND: (name) => `The server of ${name} is not known by that name; see DATABASE_URL.`,
  EAI_AGAIN: (name) => `The name of the server of ${name} cannot be looked up now; see DATABASE_URL.`,
  EHOSTUNREACH: (name) => `There is no way to the server of ${name}; see DATABASE_URL.`,
};

function ofDatabase(code: string, error: Error): string | null {
  if (!config.databaseUrl) return null;
  const { host, pathname } = new URL(config.databaseUrl);
  const name = `${decodeURIComponent(pathname.slice(1)) || 'postgres'} at ${host}`;
  if (/timeout expired|Connection terminated due to connection timeout|Connection timed out/.test(error.message))
    return `The server of ${name} does not answer; see DATABASE_URL.`;
  return OF_POSTGRES[code]?.(name) ?? null;
}

const OF_FILES: Record<string, string> = {
  EEXIST: 'is a file, not a folder',
  ENOTDIR: 'is a file, or below one',
  ENOENT: 'cannot be made there',
  EACCES: 'cannot be written by this user',
  EPERM: 'cannot be written by this user',
  EROFS: 'is on a disk that can only be read',
  ENOSPC: 'is on a disk that is full',
  EDQUOT: 'is on a disk of which this user may use no more',
  EMFILE: 'cannot be opened: this user has too many files open (ulimit -n)',
  SQLITE_CANTOPEN: 'cannot be written by this user',
  SQLITE_READONLY: 'cannot be written by this user',
  SQLITE_FULL: 'is on a disk that is full',
  SQLITE_IOERR: 'is on a disk that fails, or is full',
  SQLITE_NOTADB: 'holds a svc.sqlite that is no database of SQLite; put one back from a backup',
  SQLITE_CORRUPT: 'holds a svc.sqlite that is damaged; put one back from a backup',
};

function ofDataDir(code: string, error: NodeJS.ErrnoException): string | null {
  const said = OF_FILES[code];
  if (!said) return null;
  const folder = path.resolve(config.dataDir);
  const isOther =
    error.path !== undefined && !path.resolve(error.path).startsWith(folder) && !folder.startsWith(error.path);
  if (isOther) return null;
  const where = error.path && path.resolve(error.path) !== folder ? ` (${error.path})` : '';
  return `DATA_DIR ${folder} ${said}${where}. Mend that, or set DATA_DIR to another folder.`;
}
