import { nodeFault } from '../src/kernel/nodeVersion.ts';

const fault = nodeFault();
if (fault === null) {
  const { adminProgram } = await import('../src/app/admin/adminProgram.ts');
  await adminProgram(process.argv.slice(2));
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
