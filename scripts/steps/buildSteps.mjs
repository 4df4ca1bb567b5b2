import { readFileSync } from 'node:fs';
import FILES from '../print/files.json' with { type: 'json' };

/**
 * Everything that is made from the sources, with what it is made from: `npm run build`, and what `npm start` and others make
 * before they begin. What a step needs to know is in runSteps.mjs.
 */
const PACKAGES = 'package-lock.json';
const TYPESCRIPT_7 = 'node_modules/typescript-native/bin/tsc';
const HOW_TO_PACK = ['scripts/packPackage.mjs', PACKAGES];

/** What git has as it should be, for `npm run check`. */
export const PRINTED_DRAFTS = Object.values(FILES.committed).map((file) => `.cache/print/${file}`);

const DASHBOARD_TYPES = 'dashboard/src/generated/graphql-env.d.ts';

const SDK_GUIDES = ['sdk/app/README.md', 'sdk/client/README.md', 'sdk/webhooks/README.md'];

export const BUILD_STEPS = [
  {
    name: 'generated',
    inputs: [
      ...['facade', 'schema', 'src', 'scripts/print', 'scripts/generate.mjs', 'scripts/bundleAndRun.mjs'],
      ...['sdk/verifiers.ts', 'README.md', 'docs', '!docs/decisions', ...SDK_GUIDES],
      ...['package.json', PACKAGES],
    ],
    outputs: [...Object.values(FILES.uncommitted), ...PRINTED_DRAFTS],
    run: [['scripts/generate.mjs', '--build']],
  },
  {
    name: 'dashboard-types',
    inputs: ['schema.graphql', 'dashboard/tsconfig.json', PACKAGES],
    outputs: [DASHBOARD_TYPES],
    run: [['node_modules/gql.tada/bin/cli.js', 'generate-output', '--tsconfig', 'dashboard/tsconfig.json']],
  },
  {
    name: 'dashboard',
    inputs: ['dashboard', '!dashboard/src/generated', 'sdk/verifiers.ts', 'tsconfig.json', PACKAGES],
    outputs: ['dist/dashboard/index.html', 'dist/dashboard/.vite/manifest.json', 'dist/dashboard/assets'],
    run: [['node_modules/vite/bin/vite.js', 'build', 'dashboard', '--logLevel', 'warn']],
  },
  {
    name: 'product',
    after: ['generated'],
    inputs: [
      ...['app', 'src', 'schema', 'facade', 'jobs', 'mcp', 'sdk', 'scripts/admin.ts', 'scripts/makeJobStore.ts'],
      ...['scripts/buildServer.mjs', 'scripts/loadedFromFiles.mjs', 'tsconfig.json', PACKAGES],
    ],
    outputs: ['dist/app', 'dist/jobs', 'dist/scripts', 'dist/chunks', 'dist/LICENSES.txt', 'dist/job-store'],
    run: [['scripts/buildServer.mjs'], ['dist/scripts/makeJobStore.js']],
  },
  {
    name: 'graphiql',
    onlyIfAsked: true,
    inputs: ['scripts/graphiql', 'scripts/buildGraphiql.mjs', PACKAGES],
    outputs: ['dist/graphiql/graphiql.js', 'dist/graphiql/graphiql.css', 'dist/graphiql/LICENSES.txt'],
    run: [['scripts/buildGraphiql.mjs']],
  },
  {
    name: 'cli',
    after: ['generated'],
    inputs: ['cli', 'sdk/client', 'sdk/code', 'sdk/webhooks', 'scripts/buildCli.mjs', ...HOW_TO_PACK],
    outputs: ['dist/packages/cli/dist/svc.cjs', 'dist/packages/cli/dist/main.cjs', tarballOf('cli')],
    run: [['scripts/buildCli.mjs']],
  },
  sdk('client', ['generated'], ['sdk/webhooks']),
  sdk('app', ['generated']),
  sdk('webhooks'),
  {
    name: 'tests',
    onlyIfAsked: true,
    after: ['generated', 'dashboard', 'product', 'cli', 'sdk-client', 'sdk-app', 'sdk-webhooks'],
    inputs: [
      ...['app', 'src', 'schema', 'facade', 'jobs', 'mcp', 'sdk', 'cli', 'dashboard', 'test', 'bench', 'scripts'],
      ...['tsconfig.json', 'tsconfig.test.json', PACKAGES],
    ],
    outputs: ['dist/tests/test', 'dist/tests/downloads', 'dist/tests/node_modules/SVC-Webhooks'],
    clean: ['dist/tests/.tsbuildinfo'],
    run: [[TYPESCRIPT_7, '-p', 'tsconfig.test.json'], ['scripts/linkTests.mjs']],
  },
];

/** A package that customers install from an installation. */
function sdk(name, after = [], inputs = []) {
  const folder = `sdk/${name}`;
  return {
    name: `sdk-${name}`,
    after,
    inputs: [folder, `!${folder}/examples`, ...inputs, 'scripts/buildSdk.mjs', 'tsconfig.json', ...HOW_TO_PACK],
    outputs: [`dist/packages/${name}/dist/cjs/package.json`, tarballOf(folder)],
    run: [['scripts/buildSdk.mjs', name]],
  };
}

function tarballOf(folder) {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  return `dist/downloads/${name}-${version}.tgz`;
}
