import { claimImport } from '../src/services/imports/claimImport.ts';
import { runImport } from '../src/services/imports/runImport.ts';

/** Runs the imports that wait, one after the other; ends soon after `signal` says that the process stops. */
export async function runImports(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const claimed = await claimImport();
    if (!claimed) return;
    await runImport(claimed, signal);
  }
}
