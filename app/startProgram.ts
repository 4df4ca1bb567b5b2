import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { nodeFault } from '../src/kernel/nodeVersion.ts';

/**
 * Runs the program of an entry point, or prints one sentence and sets the exit code where the Node is too old. The program is loaded
 * after that, because an older Node cannot even read it.
 *
 * Node keeps compiled code next to what is built, where only those may write who may change that too. Where the product may not write
 * there, Node does without, or with the folder that NODE_COMPILE_CACHE names.
 */
export async function startProgram(run: () => Promise<void>): Promise<void> {
  const fault = nodeFault();
  if (fault !== null) {
    process.stderr.write(`${fault}\n`);
    process.exitCode = 1;
    return;
  }
  if (import.meta.url.endsWith('.js'))
    module.enableCompileCache(fileURLToPath(new URL('../compile-cache', import.meta.url)));
  await run();
}
