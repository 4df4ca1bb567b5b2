import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { create } from 'tar';
import { LOADED_FROM_FILES } from './loadedFromFiles.mjs';

/**
 * `npm run release` makes one package of what was built: `npm install --global dist/release/SVC-Server-….tgz` gives `svc-server`. Its
 * dependencies are the packages that are not part of the bundle, in the versions of package-lock.json, which npm-shrinkwrap.json carries with their hashes.
 */
process.chdir(path.resolve(import.meta.dirname, '..'));
const TO = 'dist/release';
const FOLDER = `${TO}/package`;
const BIN = 'dist/app/svcServer.js';

/** Parts of dist that the product does not read. There are no sources for the maps. */
const NOT_SHIPPED = [
  'release/**',
  'compile-cache/**',
  'packages/**',
  'tests/**',
  'base/**',
  // Not in the job store, where PostgreSQL has such files.
  '{app,chunks,dashboard,jobs,scripts}/**/*.map',
  '**/.built',
  '**/*.tsbuildinfo',
  '.built',
  'scripts/!(admin.js)',
];
/** Guides that the product serves, and what an operator needs with them. */
const TEXTS = [
  'README.md',
  'LICENSE',
  '.env.example',
  'docs/*.md',
  'docs/deploy/*',
  'sdk/*/README.md',
  'deploy/systemd/*',
];
/** As npm writes it, so that no tarball tells when it was made. */
const MTIME = new Date('1985-10-26T08:15:00.000Z');

const product = readJson('package.json');
const lock = readJson('package-lock.json');

rmSync(TO, { recursive: true, force: true });
const dropped = new Set(globSync(NOT_SHIPPED, { cwd: 'dist' }));
for (const file of globSync('**', { cwd: 'dist' })) if (!dropped.has(file)) ship(`dist/${file}`);
for (const file of globSync(TEXTS)) ship(file);
chmodSync(`${FOLDER}/${BIN}`, 0o755);
writeJson(`${FOLDER}/package.json`, manifest());
writeShrinkwrap();
await pack();

function ship(file) {
  if (!statSync(file).isFile()) return;
  mkdirSync(path.dirname(`${FOLDER}/${file}`), { recursive: true });
  cpSync(file, `${FOLDER}/${file}`);
}

function manifest() {
  const { version, description, license, type, engines, allowScripts } = product;
  return {
    // Nobody can publish a name with capital letters at npm, so it always means this file: see docs/decisions/0042.
    name: 'SVC-Server',
    version,
    private: true,
    description,
    license,
    type,
    engines,
    bin: { 'svc-server': BIN },
    dependencies: Object.fromEntries(
      LOADED_FROM_FILES.map((name) => [name, lock.packages[`node_modules/${name}`].version]),
    ),
    allowScripts: { sqlite3: allowScripts.sqlite3 },
  };
}

/** npm keeps the versions of a lock file and drops what the dependencies do not need. */
function writeShrinkwrap() {
  const file = `${FOLDER}/package-lock.json`;
  writeJson(file, lock);
  cpSync('.npmrc', `${FOLDER}/.npmrc`);
  const { status } = spawnSync('npm install --package-lock-only --ignore-scripts --prefer-offline --silent', {
    cwd: FOLDER,
    stdio: 'inherit',
    shell: true,
  });
  if (status !== 0) throw new Error('npm could not write the lock file of the release');
  rmSync(`${FOLDER}/.npmrc`);
  for (const [place, { version, integrity }] of Object.entries(readJson(file).packages)) {
    const known = lock.packages[place];
    if (place !== '' && (known?.version !== version || known.integrity !== integrity))
      throw new Error(`${place} is ${version} in the release and ${known?.version} in package-lock.json`);
  }
  renameSync(file, `${FOLDER}/npm-shrinkwrap.json`);
}

async function pack() {
  const file = `${TO}/SVC-Server-${product.version}.tgz`;
  const files = globSync('**', { cwd: FOLDER })
    .concat(globSync('.env.example', { cwd: FOLDER }))
    .filter((name) => statSync(`${FOLDER}/${name}`).isFile())
    .sort();
  await create({ file, cwd: FOLDER, prefix: 'package', gzip: { level: 9 }, portable: true, mtime: MTIME }, files);
  const hash = createHash('sha512').update(readFileSync(file)).digest('base64');
  process.stdout.write(`${file} ${(statSync(file).size / 1e6).toFixed(1)} MB sha512-${hash}\n`);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file, value) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
