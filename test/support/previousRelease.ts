import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Child, startChild } from './child.ts';
import { inRoot } from './root.ts';

/**
 * The commit of the release before this one, whose processes run beside ours during a rolling upgrade. It moves on when a
 * release is made: see docs/upgrade.md.
 */
export const PREVIOUS_RELEASE = '322c6cb';

/** Whether the history reaches back that far; a shallow clone and an archive have none. */
export async function hasPreviousRelease(): Promise<boolean> {
  const asked = promisify(execFile)('git', ['cat-file', '-e', `${PREVIOUS_RELEASE}^{commit}`], { cwd: inRoot('.') });
  return asked.then(() => true).catch(() => false);
}

/** The sources of the release before, which run on the packages and the built pages of this one. */
export async function checkOutPreviousRelease(): Promise<{
  start(port: number, env: Record<string, string>): Promise<Child>;
  remove(): Promise<void>;
}> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-previous-'));
  await extract(folder);
  for (const name of ['node_modules', 'dist']) await symlink(inRoot(name), path.join(folder, name));
  return {
    start: (port, env) => startChild(port, env, { args: ['--import', 'tsx', 'src/main.ts'], cwd: folder }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function extract(folder: string): Promise<void> {
  const archive = spawn('git', ['archive', PREVIOUS_RELEASE], {
    cwd: inRoot('.'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const unpack = spawn('tar', ['-x', '-C', folder], { stdio: ['pipe', 'inherit', 'inherit'] });
  archive.stdout.pipe(unpack.stdin);
  return new Promise((resolve, reject) => {
    archive.once('error', reject);
    unpack.once('error', reject);
    unpack.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`tar ended with ${code}`))));
  });
}
