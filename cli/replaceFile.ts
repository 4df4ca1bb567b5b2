import type { Stats } from 'node:fs';
import { access, constants, type FileHandle, lstat, open, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** All of a file, or its parts while they come. */
type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a file by a draft next to it and a rename: after a full disk, an interruption or a broken connection it is as it was
 * before. An existing file keeps its rights and a symbolic link stays one; `mode` is for new files. What is not a file (a
 * pipe, /dev/stdout) is written in place, and so is a file whose folder takes no draft.
 */
export async function replaceFile(file: string, content: Content, mode = 0o666): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const before = await lstat(target).catch(() => null);
  if (before && !(before.isFile() && (await mayWrite(path.dirname(target))))) return writeFile(target, content);
  // A rename would replace a file that is protected from writing.
  if (before) await access(target, constants.W_OK);
  const draft = `${target}.${process.pid}.tmp`;
  try {
    await writeDraft(draft, content, { before, mode });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeDraft(
  draft: string,
  content: Content,
  { before, mode }: { before: Stats | null; mode: number },
): Promise<void> {
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', before ? 0o600 : mode);
  try {
    await handle.writeFile(content);
    if (before) await giveRights(handle, before);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Only an administrator can keep the owner of somebody else's file. */
async function giveRights(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  await handle.chown(uid, gid).catch(() => {});
  await handle.chmod(mode & 0o777);
}

function mayWrite(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}
