import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Watches which sources this process executes, below `root`: `take` gives those with a function that was called since the last
 * time, as paths from there. What a module does when it is loaded does not count: each module is loaded once for many files.
 */
export async function watchExecution(root) {
  const below = pathToFileURL(`${path.resolve(root)}/`).href;
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async take() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      return result
        .filter(({ url }) => url.startsWith(below))
        .filter(({ functions }) => functions.some(isCall))
        .map(({ url }) => path.relative(root, fileURLToPath(url)).replace(/\.js$/, '.ts'));
    },
  };
}

/** The module itself is a function without a name that begins at its first letter. */
function isCall({ functionName, ranges }) {
  const [whole] = ranges;
  return whole.count > 0 && !(functionName === '' && whole.startOffset === 0);
}
