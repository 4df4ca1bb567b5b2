import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles GraphiQL for the browser into two files, which schema/graphiql.ts serves: nothing is loaded from elsewhere, and
 * once built they need none of the packages.
 */
process.chdir(path.resolve(import.meta.dirname, '..'));
const TO = 'dist/graphiql';
const FROM = 'scripts/graphiqlPage.mjs';
const STAMP = `${TO}/.built`;

if (!isFresh()) {
  await build({
    entryPoints: { graphiql: FROM },
    outdir: TO,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  });
  mkdirSync(TO, { recursive: true });
  writeFileSync(`${TO}/LICENSES.txt`, licenses());
  writeFileSync(STAMP, '');
}

/** A start builds first, and mostly nothing has changed. */
function isFresh() {
  if (!existsSync(STAMP)) return false;
  const builtAt = statSync(STAMP).mtimeMs;
  return [FROM, 'scripts/buildGraphiql.mjs', 'package-lock.json'].every((file) => statSync(file).mtimeMs < builtAt);
}

/** The licence of what is bundled asks to go with it. */
function licenses() {
  const texts = ['graphiql', 'react', 'react-dom'].map(
    (name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8')}`,
  );
  return texts.join('\n');
}
