import { claimImport } from '../src/imports/importClaims.ts';
import { runImport } from '../src/imports/runImport.ts';

/** Runs the waiting imports one after the other; returns soon after `signal` aborts. */
export async function runImports(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const claimed = await claimImport();
    if (!claimed) return;
    await runImport(claimed, signal);
  }
}
