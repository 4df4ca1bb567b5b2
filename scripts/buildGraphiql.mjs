import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { installOnDemand } from './onDemand.mjs';

/**
 * Bundles GraphiQL for the browser into two files, which schema/graphiql.ts serves: nothing is loaded from elsewhere, and
 * once built they need none of the packages. Those are in scripts/graphiql/, because a start does without GraphiQL.
 */
process.chdir(path.resolve(import.meta.dirname, '..'));
const PACKAGES = 'scripts/graphiql';
const FROM = `${PACKAGES}/page.mjs`;
const TO = 'dist/graphiql';

installOnDemand(PACKAGES);
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
writeFileSync(`${TO}/LICENSES.txt`, licenses());

/** The licence of what is bundled asks to go with it. */
function licenses() {
  const texts = ['graphiql', 'react', 'react-dom'].map(
    (name) => `${name}\n\n${readFileSync(`${PACKAGES}/node_modules/${name}/LICENSE`, 'utf8')}`,
  );
  return texts.join('\n');
}
