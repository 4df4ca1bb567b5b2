import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

/** Builds the dashboard into dist/dashboard, unless nothing that it is built from has changed since the last time. */
process.chdir(path.resolve(import.meta.dirname, '../..'));
const STAMP = 'dist/dashboard/.built';

const wanted = digest();
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== wanted) {
  await build({ configFile: 'dashboard/vite.config.ts', logLevel: 'warn' });
  writeFileSync(STAMP, wanted);
}

function digest(): string {
  const files = [...globSync('dashboard/**'), 'schema.graphql', 'package-lock.json'].filter((file) =>
    statSync(file).isFile(),
  );
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
