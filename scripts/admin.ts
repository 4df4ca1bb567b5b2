import { startProgram } from '../app/startProgram.ts';

await startProgram(async () => {
  const { adminProgram } = await import('../app/admin/adminProgram.ts');
  await adminProgram(process.argv.slice(2));
});
