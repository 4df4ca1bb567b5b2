import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './root.ts';

/** A Node of another version, fetched from npm once; null where npm has none for this machine or cannot be reached. */
export function nodeOf(version: string): string | null {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = inRoot(`.cache/nodes/${version}`);
  const node = path.join(folder, 'node_modules', name, 'bin/node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    spawnSync('npm', ['install', '--silent', '--no-save', '--prefix', folder, `${name}@${version}`], { cwd: folder });
  }
  return existsSync(node) ? node : null;
}
