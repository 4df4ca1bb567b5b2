import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The oldest Node that runs the product: it lacks nothing that the code uses. `engines` in package.json says the same. */
export const OLDEST_NODE = '22.12.0';

/**
 * What is wrong with the Node that runs this, in one sentence that names a command to use instead; null when nothing is. Entry
 * points ask this before they load anything else, because an older Node cannot even read the rest. For the same reason this file
 * imports nothing of ours and uses nothing new.
 */
export function nodeFault(version: string = process.versions.node): string | null {
  if (!isOlder(version, OLDEST_NODE)) return null;
  const brought = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));
  const remedy = existsSync(brought)
    ? `run it with the one that npm installed: ${[brought, ...process.execArgv, ...process.argv.slice(1)].join(' ')}`
    : 'install a newer one, or run npm install, which brings one';
  return `svc needs Node ${OLDEST_NODE} or newer, and this is Node ${version}; ${remedy}`;
}

function isOlder(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major === otherMajor ? minor < otherMinor : major < otherMajor;
}
