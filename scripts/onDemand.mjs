import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Folders that are packages of their own, with a manifest and a lock file, because few commands need what they bring. Each such
 * command installs its folder when it is first asked for, and again when the lock file has changed. They are not workspaces of npm,
 * which the installation of the project would bring too: see docs/decisions/0100-packages-on-demand.md.
 */
export const ON_DEMAND = ['scripts/lint', 'scripts/graphiql', 'bench', 'test/interop'];

const ROOT = path.resolve(import.meta.dirname, '..');

/** Installs a folder unless what its lock file names is there. */
export function installOnDemand(folder) {
  if (isInstalled(folder)) return;
  const { description } = JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'));
  process.stderr.write(`Installing in ${folder}/ ${description}.\n`);
  const { status } = spawnSync(`npm install --no-save --prefix ${folder}`, {
    cwd: ROOT,
    // What asks for the packages may print something that others read.
    stdio: ['ignore', 2, 2],
    shell: true,
  });
  if (status !== 0) throw new Error(`npm install failed in ${folder}/`);
  writeFileSync(stampOf(folder), lockHash(folder));
}

export function isInstalled(folder) {
  try {
    return readFileSync(stampOf(folder), 'utf8') === lockHash(folder);
  } catch {
    return false;
  }
}

function stampOf(folder) {
  return path.join(ROOT, folder, 'node_modules/.installed');
}

function lockHash(folder) {
  return createHash('sha256')
    .update(readFileSync(path.join(ROOT, folder, 'package-lock.json')))
    .digest('hex');
}

/** `npm run install:all` installs every folder. */
if (process.argv[1] === fileURLToPath(import.meta.url)) for (const folder of ON_DEMAND) installOnDemand(folder);
