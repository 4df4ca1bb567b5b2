import { spawnSync } from 'node:child_process';

/** Everything that prints a generated file, in an order in which each finds what it reads. `--check` only compares. */
const PRINTERS = [
  'printSchema.ts',
  'printEnv.ts',
  'printSdkTypes.ts',
  'printManifest.ts',
  'printClient.ts',
  'printCodeSchema.ts',
  'printDashboardTypes.mjs',
  'printCapacity.ts',
];

const failed = PRINTERS.filter((printer) => {
  const { status } = spawnSync('tsx', [`scripts/${printer}`, ...process.argv.slice(2)], {
    stdio: 'inherit',
    shell: true,
  });
  return status !== 0;
});
process.exit(failed.length === 0 ? 0 : 1);
