import { chmodSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
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
const { version } = JSON.parse(readFileSync(`${FOLDER}/package.json`, 'utf8'));
const TARBALL = `dist/downloads/svc-cli-${version}.tgz`;

/** The commands as they follow from the manifest, in the place of the manifest, which is three times as long. */
const precomputed = {
  name: 'precomputed',
  setup({ onLoad }) {
    onLoad({ filter: /\/cli\/operations\.ts$/ }, async ({ path: file }) => {
      const values = await import(file);
      const lines = Object.entries(values).map(
        ([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
      );
      return { contents: lines.join('\n'), loader: 'js' };
    });
  },
};

/** Files that stay apart: they are large, and seldom needed. */
const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/jq\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './jq.cjs', external: true },
    );
  },
};

if (!isFresh()) {
  rmSync(TO, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  await bundle('cli/main.ts', 'main.mjs');
  await bundle('cli/output/jq.ts', 'jq.cjs');
  cpSync('cli/svc.mjs', `${OUT}/svc.mjs`);
  chmodSync(`${OUT}/svc.mjs`, 0o755);
  await packPackage(FOLDER, TO);
}

/** `npm run svc` builds first, and mostly nothing has changed. */
function isFresh() {
  if (!existsSync(TARBALL) || !existsSync(`${OUT}/main.mjs`)) return false;
  const builtAt = statSync(TARBALL).mtimeMs;
  const sources = globSync([
    'cli/**/*',
    'sdk/client/*',
    'sdk/code/*',
    'sdk/webhooks/*',
    'scripts/buildCli.mjs',
    'scripts/packPackage.mjs',
  ]);
  return sources.every((file) => statSync(file).mtimeMs < builtAt);
}

async function bundle(entry, file) {
  await build({
    entryPoints: [entry],
    outfile: `${OUT}/${file}`,
    bundle: true,
    format: file.endsWith('.cjs') ? 'cjs' : 'esm',
    platform: 'node',
    target: 'node22.12',
    minify: true,
    keepNames: false,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [precomputed, apart],
    // What packages ask for with `require` is of Node.
    banner: file.endsWith('.cjs')
      ? {}
      : { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
}
