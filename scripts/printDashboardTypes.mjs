import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Prints the types by which the dashboard's GraphQL documents are checked, from schema.graphql. With --check it only compares.
 */
const KEPT = 'dashboard/src/generated/graphql-env.d.ts';
const isCheck = process.argv.includes('--check');
const printed = isCheck ? path.join(tmpdir(), `graphql-env-${process.pid}.d.ts`) : KEPT;
const { status, stderr } = spawnSync(
  'gql.tada',
  ['generate-output', '--tsconfig', 'dashboard/tsconfig.json', ...(isCheck ? ['--output', printed] : [])],
  { encoding: 'utf8' },
);
if (status !== 0) fail(stderr);
if (isCheck) {
  const isFresh = readFileSync(printed, 'utf8') === readFileSync(KEPT, 'utf8');
  rmSync(printed);
  if (!isFresh) fail(`${KEPT} is not what schema.graphql says: run npm run generate.\n`);
}

function fail(message) {
  process.stderr.write(message);
  process.exit(1);
}
