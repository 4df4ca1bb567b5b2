import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';

/**
 * Builds before a start, unless nothing that is built from has changed since: to find that out takes the compiler several
 * seconds, and this a moment. Folders count too, whose time changes when a file in them is deleted.
 */
const STAMP = 'dist/.built';
const MAIN = 'dist/src/main.js';
const FROM = [
  'src',
  'schema',
  'facade',
  'jobs',
  'scripts',
  'sdk',
  'cli',
  'dashboard',
  'docs',
  'README.md',
  'schema.graphql',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

if (existsSync('node_modules/typescript')) {
  if (!isFresh()) build();
} else if (!existsSync(MAIN)) {
  process.stderr.write('Nothing is built, and no compiler is installed. Run npm install and npm run build first.\n');
  process.exit(1);
}
// Without a compiler, as after npm prune --omit=dev, what was built before is what there is.

function build() {
  const startedAt = new Date();
  const { status } = spawnSync('npm run --silent build', { stdio: 'inherit', shell: true });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(STAMP, `${startedAt.getTime()}`);
}

function isFresh() {
  if (!existsSync(STAMP) || !existsSync(MAIN)) return false;
  // What is changed while a build goes on is newer than the beginning of that build.
  const builtAt = Number(readFileSync(STAMP, 'utf8'));
  return FROM.flatMap((place) => [
    place,
    ...globSync(`${place}/**`, { exclude: (name) => name === 'node_modules' }),
  ]).every((place) => statSync(place).mtimeMs < builtAt);
}
