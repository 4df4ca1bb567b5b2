import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { create } from 'tar';

const TO = 'dist/downloads';
/** As npm writes it, so that no tarball tells when it was made. */
const MTIME = new Date('1985-10-26T08:15:00.000Z');

/**
 * Packs what was built in `cwd` and the texts of the package in `folder`, as `npm pack` would: `package/` in a tarball whose bytes
 * follow from the sources alone.
 */
export async function packPackage(folder, cwd) {
  const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  for (const part of ['LICENSE', 'README.md', 'package.json']) cpSync(path.join(folder, part), path.join(cwd, part));
  const files = globSync('**/*.*', { cwd }).concat('LICENSE').sort();
  mkdirSync(TO, { recursive: true });
  for (const earlier of globSync(`${TO}/${name}-*.tgz`)) rmSync(earlier);
  const file = `${TO}/${name}-${version}.tgz`;
  await create({ file, cwd, prefix: 'package', gzip: { level: 9 }, portable: true, mtime: MTIME }, files);
  const hash = createHash('sha512').update(readFileSync(file)).digest('base64');
  process.stdout.write(`${file} sha512-${hash}\n`);
}
