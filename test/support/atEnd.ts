type End = () => unknown;

const ends: End[] = [];

/**
 * Calls `end` when all tests of this process are done, the last one first: what is shared between test files, such as a product or
 * a browser, ends then. The runner calls `endAll`; mocha by itself has a hook for it.
 */
export function atEnd(end: End): void {
  ends.push(end);
}

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

// The runner of scripts/test.mjs loads files one after the other into one process, and hooks would run after the first of them.
if (process.env.TEST_RUNNER !== 'true' && typeof after === 'function') after(endAll);
