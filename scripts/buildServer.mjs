import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { build } from 'esbuild';
import { LOADED_FROM_FILES } from './loadedFromFiles.mjs';

/**
 * Bundles the server into `dist/`: its entries, and what they share in `dist/chunks/`. To load 2,700 modules one by one takes more
 * than a second of each start. Packages that load files of their own stay in node_modules: see scripts/loadedFromFiles.mjs.
 */
process.chdir(path.resolve(import.meta.dirname, '..'));

/** Each runs in a process or a thread of its own. */
const ENTRIES = [
  'app/main.ts',
  'app/svcServer.ts',
  'app/planProcess.ts',
  'jobs/pgliteWorker.ts',
  'scripts/admin.ts',
  'scripts/makeJobStore.ts',
];

/** Not installed: type-graphql and Sequelize know how to work with them. */
const ABSENT = ['class-validator', 'pg-hstore'];

/** All output lies one level below `dist/`, as the sources of the entries do. */
const OUTPUT = { outdir: 'dist', outbase: '.', chunkNames: 'chunks/[name]-[hash]' };

/**
 * CommonJS among the packages asks for these. Node warns of deprecated calls outside of node_modules alone, where packages are no
 * longer; ours are seen when sources run.
 */
const BANNER = [
  'process.noDeprecation = true;',
  "import { createRequire as $requireFrom } from 'node:module';",
  "import { dirname as $folderOf } from 'node:path';",
  "import { fileURLToPath as $fileOf } from 'node:url';",
  'const [require, __filename] = [$requireFrom(import.meta.url), $fileOf(import.meta.url)];',
  'const __dirname = $folderOf(__filename);',
].join(' ');

/** Of a file that has no position in any source. */
const NO_MAP = Buffer.from('{"version":3,"sources":[""],"mappings":"A"}').toString('base64');

for (const folder of ['app', 'jobs', 'scripts', 'chunks', 'compile-cache'])
  rmSync(path.join('dist', folder), { recursive: true, force: true });
const { metafile } = await build({
  ...OUTPUT,
  entryPoints: ENTRIES,
  external: [...LOADED_FROM_FILES, ...ABSENT],
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node22.12',
  // GraphQL types and models are called like their classes.
  keepNames: true,
  metafile: true,
  sourcemap: true,
  sourcesContent: false,
  banner: { js: BANNER },
  legalComments: 'external',
  logLevel: 'warning',
  plugins: [
    { name: 'places', setup: keepPlaces },
    { name: 'maps', setup: mapOwnOnly },
  ],
});

for (const file of Object.keys(metafile.outputs)) if (file.endsWith('.map')) shorten(file);
writeFileSync('dist/LICENSES.txt', licenses(Object.keys(metafile.inputs)));

/** Our files find others from their own place in `dist/`, as without a bundle. */
function keepPlaces({ onLoad }) {
  onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
    const contents = readFileSync(file, 'utf8');
    if (!contents.includes('import.meta.')) return null;
    const place = `new URL('../${path.relative('.', file).replaceAll(path.sep, '/').replace(/\.ts$/, '.js')}', import.meta.url)`;
    return {
      contents: contents
        .replace(/\bimport\.meta\.url\b/g, `${place}.href`)
        .replace(/\bimport\.meta\.dirname\b/g, `$folderOf($fileOf(${place}))`),
      loader: 'ts',
    };
  });
}

/** Node reads the whole map of a file when it loads it: with all packages in it, that takes as long as the file itself. */
function mapOwnOnly({ onLoad }) {
  onLoad({ filter: /node_modules.*\.[cm]?js$/ }, ({ path: file }) => ({
    contents: `${readFileSync(file, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${NO_MAP}`,
    loader: 'js',
  }));
}

/** Keeps the lines of a map, which is what stack traces need, and not the columns and names. */
function shorten(file) {
  const { mappings, ...map } = JSON.parse(readFileSync(file, 'utf8'));
  const lines = decode(mappings).map((segments) => segments.slice(0, 1));
  writeFileSync(file, JSON.stringify({ ...map, names: [], mappings: encode(lines.map(withoutName)) }));
}

function withoutName(segments) {
  return segments.map((segment) => segment.slice(0, 4));
}

/** The licences of what is bundled ask to go with it. */
function licenses(inputs) {
  const folders = new Set(
    inputs.map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean),
  );
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const [file] = globSync(`${folder}/{LICENSE,LICENCE,license,licence,COPYING}*`);
    return `${name} ${version}: ${license}\n\n${file ? readFileSync(file, 'utf8').trim() : ''}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
