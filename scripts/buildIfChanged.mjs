import { existsSync } from 'node:fs';

/** Builds what has changed before a start. Without a compiler, as after npm prune --omit=dev, what was built before is what there is. */
if (existsSync('node_modules/typescript-native')) {
  await import('./build.mjs');
} else if (!existsSync('dist/app/main.js')) {
  process.stderr.write('Nothing is built, and no compiler is installed. Run npm install and npm run build first.\n');
  process.exit(1);
}
