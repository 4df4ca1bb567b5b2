import { isInstalled } from '../onDemand.mjs';
import FILES from '../print/files.json' with { type: 'json' };
import { PRINTED_DRAFTS } from './buildSteps.mjs';

/**
 * What `npm run check` checks, the longest first, with what each looks at. The fields are explained in runSteps.mjs. Compilers
 * and others keep in .cache what they know of files that did not change.
 */
const PACKAGES = ['package.json', 'package-lock.json'];
const TYPESCRIPT_7 = 'node_modules/typescript-native/bin/tsc';
const LINTERS = 'scripts/lint/node_modules';
const KNIP = [
  `${LINTERS}/knip/bin/knip.js`,
  '--no-config-hints',
  '--no-gitignore',
  '--cache',
  '--cache-location',
  '.cache/check/knip',
];

/**
 * Benchmarks and the tests with programs of others are always checked: with the types of their packages where those are installed,
 * and else with none for what they import from them. `.ci/run` installs them first.
 */
const PROJECT = ['bench', 'test/interop'].every(isInstalled) ? 'tsconfig.all.json' : '.';

const PRODUCT = ['app', 'src', 'schema', 'facade', 'jobs', 'mcp', 'sdk', 'cli'];
const SOURCES = [...PRODUCT, 'test', 'bench', 'scripts'];

export const CHECK_STEPS = [
  {
    name: 'types',
    inputs: [...SOURCES, 'dashboard', 'tsconfig.json', 'tsconfig.all.json', ...PACKAGES],
    run: [typesOf(PROJECT, '.cache/check/types.tsbuildinfo')],
  },
  {
    name: 'dashboard',
    inputs: ['dashboard', 'sdk/verifiers.ts', 'tsconfig.json', ...PACKAGES],
    run: [typesOf('dashboard', '.cache/check/dashboard.tsbuildinfo')],
  },
  {
    name: 'imports',
    inputs: [...PRODUCT, 'scripts', 'dashboard', '.dependency-cruiser.cjs', 'tsconfig.json', ...PACKAGES],
    run: [
      [
        `${LINTERS}/dependency-cruiser/bin/dependency-cruise.mjs`,
        ...[...PRODUCT, 'scripts', 'dashboard/src'],
        ...['--config', '.dependency-cruiser.cjs'],
      ],
      ['scripts/checkRooms.mjs'],
    ],
  },
  {
    name: 'unused',
    inputs: [...SOURCES, 'dashboard', 'knip.json', 'tsconfig.json', '.mocharc.json', ...PACKAGES],
    run: [KNIP, [...KNIP, '--production', '--workspace', '.']],
  },
  {
    name: 'style',
    inputs: [...SOURCES, 'dashboard', 'deploy', 'biome.json', '.gitignore', 'tsconfig.json', ...PACKAGES],
    takesChanged: [...SOURCES, 'dashboard', 'deploy'],
    run: [[`${LINTERS}/@biomejs/biome/bin/biome`, 'check', '--error-on-warnings', '--no-errors-on-unmatched']],
  },
  {
    name: 'controls',
    inputs: ['dashboard', 'facade', 'schema', 'src', 'schema.graphql', 'scripts/bundleAndRun.mjs', ...PACKAGES],
    run: [['scripts/bundleAndRun.mjs', 'dashboard/build/controls.ts']],
  },
  {
    name: 'generated',
    inputs: [...Object.values(FILES.committed), ...PRINTED_DRAFTS, 'scripts/generate.mjs', '.git/index'],
    run: [['scripts/generate.mjs', '--check']],
  },
  {
    name: 'tests',
    inputs: ['test', 'scripts/testFiles.mjs'],
    run: [['--eval', "import('./scripts/testFiles.mjs').then(({ testFiles }) => testFiles())"]],
  },
];

/** One thread that checks: several would each read through the largest types, which costs twice the processor time. */
function typesOf(project, memory) {
  return [TYPESCRIPT_7, '-p', project, '--noEmit', '--incremental', '--tsBuildInfoFile', memory, '--checkers', '1'];
}
