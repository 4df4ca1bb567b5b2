import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** `npm run dev`: starts from the sources, anew after each change, with GraphiQL at /graphql where it was built. */
const { status } = spawnSync(process.execPath, ['scripts/build.mjs', 'generated'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
if (existsSync('dist/graphiql/graphiql.js')) process.env.GRAPHIQL ??= 'true';
else process.stdout.write('For GraphiQL at /graphql, run npm run build:graphiql first.\n');
process.argv.splice(2, Number.POSITIVE_INFINITY, 'watch', 'app/main.ts');
await import('tsx/cli');
