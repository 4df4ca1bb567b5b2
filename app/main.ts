import { startProgram } from './startProgram.ts';

await startProgram(async () => {
  const { runProduct } = await import('./runProduct.ts');
  await runProduct();
});
