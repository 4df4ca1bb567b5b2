import { nodeFault } from './kernel/nodeVersion.ts';

const fault = nodeFault();
if (fault === null) {
  const { runProduct } = await import('./app/runProduct.ts');
  await runProduct();
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
