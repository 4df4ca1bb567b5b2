import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** Completes what tsconfig.test.json compiles: packages and pages stand where the compiled product looks for them. */
process.chdir(path.resolve(import.meta.dirname, '..'));

link('dist/downloads', 'downloads');
link('dist/graphiql', 'graphiql');
// The folder has what tests import of the pages, too.
for (const name of readdirSync('dist/dashboard')) link(`dist/dashboard/${name}`, `dashboard/${name}`);
// Their examples import packages by name, as customers do.
link('dist/packages/webhooks', 'node_modules/SVC-Webhooks');

function link(from, name) {
  const place = path.join('dist/tests', name);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(path.resolve(from), place, 'junction');
}
