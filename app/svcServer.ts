#!/usr/bin/env node
import { startProgram } from './startProgram.ts';

// The bin of a release: see scripts/release.mjs.
await startProgram(async () => {
  const { serverProgram } = await import('./serverProgram.ts');
  await serverProgram(process.argv.slice(2));
});
