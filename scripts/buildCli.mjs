import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { packPackage } from './packPackage.mjs';

/**
 * Builds the command line of cli/ as one file, packs it as a package with the bin `svc`, and leaves it unpacked in dist/packages/cli,
 * where `npm run svc` runs it. What commands are computed from the manifest is computed here, once.
 */
process.chdir(path.resolve(import.meta.dirname, '..'));
const FOLDER = 'cli';
const TO = 'dist/packages/cli';
const OUT = `${TO}/dist`;

/** The commands as they follow from the manifest, in the place of the manifest, which is three times as long. */
const precomputed = {
  name: 'precomputed',
  setup({ onLoad }) {
    onLoad({ filter: /\/cli\/(operations|version)\.ts$/ }, async ({ path: file }) => {
      const values = await import(file);
      const lines = Object.entries(values).map(
        ([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
      );
      return { contents: lines.join('\n'), loader: 'js' };
    });
  },
};

/** What stays in files of its own: it is large, and most commands do not need it. */
const APART = [
  { entry: 'cli/output/jq.ts', imported: /\/jq\.ts$/, file: 'jq.cjs' },
  { entry: 'sdk/code/index.ts', imported: /\/sdk\/code\/index\.ts$/, file: 'code.cjs' },
].filter(({ entry }) => existsSync(entry));

const apart = {
  name: 'apart',
  setup({ onResolve }) {
    for (const { imported, file } of APART) {
      onResolve({ filter: imported }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: `./${file}`, external: true },
      );
    }
  },
};

/**
 * jq-wasm 1.0.1 copies all of its input for each byte that is read, and all of its output for each that is written: 200 kB take 9 s.
 * Views take the place of the copies. A version that no longer has these lines fails here, and may not need this.
 */
const linearJq = {
  name: 'linear-jq',
  setup({ onLoad }) {
    onLoad({ filter: /jq-wasm\/dist\/build\/jq\.js$/ }, ({ path: file }) => {
      let text = readFileSync(file, 'utf8');
      for (const [found, instead] of [
        ['stdinBuffer = stdinBuffer.slice(1);', 'stdinBuffer = stdinBuffer.subarray(1);'],
        [
          /const tmp = new Uint8Array\(stdoutBuffer\.length \+ 1\);[^}]*stdoutBuffer = tmp;/,
          'stdoutBuffer = appended(stdoutBuffer, charCode);',
        ],
      ]) {
        const changed = text.replace(found, instead);
        if (changed === text) throw new Error(`${file} has changed: look whether linearJq is still needed`);
        text = changed;
      }
      return { contents: `${text}\n${appended}`, loader: 'js' };
    });
  },
};

/** The bytes and one more, in memory that doubles when it is full. */
function appended(bytes, byte) {
  const { length } = bytes;
  let { buffer } = bytes;
  if (length === buffer.byteLength) {
    const larger = new Uint8Array(Math.max(4096, 2 * length));
    larger.set(bytes);
    buffer = larger.buffer;
  }
  const longer = new Uint8Array(buffer, 0, length + 1);
  longer[length] = byte;
  return longer;
}

rmSync(TO, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
await bundle('cli/main.ts', 'main.cjs');
for (const { entry, file } of APART) await bundle(entry, file);
cpSync('cli/svc.cjs', `${OUT}/svc.cjs`);
chmodSync(`${OUT}/svc.cjs`, 0o755);
await packPackage(FOLDER, TO);

async function bundle(entry, file) {
  await build({
    entryPoints: [entry],
    outfile: `${OUT}/${file}`,
    bundle: true,
    // With `require`, what a command imports of Node is loaded with the command; ES modules would load all of it at the start.
    format: 'cjs',
    platform: 'node',
    target: 'node22.12',
    minify: true,
    keepNames: false,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [precomputed, apart, linearJq],
  });
}
