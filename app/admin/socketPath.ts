import { createHash } from 'node:crypto';
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const NAME = 'admin.sock';

/** Bytes that the path of a socket has at most: 104 on macOS and 108 on Linux, each with a zero at the end. */
const MAX_BYTES = 103;

/** The file of the socket in DATA_DIR; null on Windows, where it is a named pipe. */
export function socketFileIn(dataDir: string): string | null {
  return process.platform === 'win32' ? null : path.join(path.resolve(dataDir), NAME);
}

/**
 * Calls `use` with a path of the socket that is short enough to listen or connect. In a folder with a long name that is one
 * through a symbolic link, which is needed for that moment only: the socket itself is always in DATA_DIR.
 */
export async function withSocketPath<Result>(
  dataDir: string,
  use: (address: string) => Promise<Result>,
): Promise<Result> {
  const file = socketFileIn(dataDir);
  if (file === null) return use(await pipeName(dataDir));
  if (Buffer.byteLength(file) <= MAX_BYTES) return use(file);
  const folder = await mkdtemp(path.join(shortFolder(), 'svc-'));
  try {
    await symlink(path.dirname(file), path.join(folder, 'd'));
    return await use(path.join(folder, 'd', NAME));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The folder for temporary files, unless its own name is long. */
function shortFolder(): string {
  return Buffer.byteLength(tmpdir()) <= MAX_BYTES - '/svc-123456/d/'.length - NAME.length ? tmpdir() : '/tmp';
}

async function pipeName(dataDir: string): Promise<string> {
  const folder = (await realpath(dataDir).catch(() => path.resolve(dataDir))).toLowerCase();
  return `\\\\.\\pipe\\svc-admin-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
}
