import path from 'node:path';
import { config } from './config.ts';

/** Codes of errors of files that are faults of a disk or of its set-up, with what they say of a folder. */
export const DISK_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'cannot be written by this user',
  EPERM: 'cannot be written by this user',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'is on a disk whose quota for this user is used up',
  EMFILE: 'cannot be opened: too many open files (ulimit -n)',
  ENFILE: 'cannot be opened: this machine has too many open files',
  EIO: 'is on a failing disk',
  ESTALE: 'is on a network disk that was replaced',
  ENODEV: 'is on a disk that is gone',
  ENXIO: 'is on a disk that is gone',
};

/** Sockets have these too; an error of a file has its path with them. */
const NEED_PATH = new Set(['EACCES', 'EPERM', 'ENODEV', 'ENXIO']);

/** Whether an error means that files in DATA_DIR cannot be written or read at the moment. */
export function isDiskDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', path: file } = error as NodeJS.ErrnoException;
  if (!Object.hasOwn(DISK_FAULTS, code)) return false;
  if (file === undefined) return !NEED_PATH.has(code);
  return path.resolve(file).startsWith(path.resolve(config.dataDir));
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

/** Whether an error of a file, or of SQLite, is about a disk or a quota without room. */
export function isDiskFull(error: unknown): boolean {
  const { code, parent } = (error ?? {}) as { code?: unknown; parent?: unknown };
  return FULL.has(String(code)) || (parent !== undefined && isDiskFull(parent));
}
