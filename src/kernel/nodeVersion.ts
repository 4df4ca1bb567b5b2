import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The oldest Node that runs the product: it lacks nothing that the code uses. `engines` in package.json says the same. */
export const OLDEST_NODE = '22.12.0';

/** The file in the installation that is called `name`, seen from this file when it is compiled. */
const inInstallation = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

/**
 * What is wrong with the Node that runs this, in one sentence that says what to do; null when nothing is. Entry points ask this
 * before they load anything else, because an older Node cannot even read the rest. For the same reason this file imports nothing
 * of ours and uses nothing new.
 */
export function nodeFault(version: string = process.versions.node): string | null {
  if (!isOlder(version, OLDEST_NODE)) return null;
  return `svc needs Node ${OLDEST_NODE} or newer, and this is Node ${version}; ${remedy()}`;
}

function remedy(): string {
  const brought = inInstallation('node_modules/.bin/node');
  if (existsSync(brought))
    return `run it with the one that npm installed: ${[brought, ...process.execArgv, ...process.argv.slice(1)].join(' ')}`;
  // A checkout has what brings one, a release has not.
  return existsSync(inInstallation('scripts/bringNode.mjs'))
    ? 'install a newer one, or run npm install, which brings one'
    : `install a newer one, or one from npm as ${inInstallation('docs/install.md')} says`;
}

function isOlder(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major === otherMajor ? minor < otherMinor : major < otherMajor;
}
