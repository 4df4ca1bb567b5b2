import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Found } from './resolver.ts';

/** Gives what a hosts file says of a name, IPv4 first; nothing when it does not list it. Read again when it changed. */
export function hostsFile(path: string): (hostname: string) => Found[] {
  let names = new Map<string, Found[]>();
  let version = '';
  return (hostname) => {
    const found = versionOf(path);
    if (found !== version) {
      names = found ? parse(readFileSync(path, 'utf8')) : new Map();
      version = found;
    }
    return names.get(hostname) ?? [];
  };
}

/** Empty when there is no file. Asking the disk takes microseconds here, and no place among the threads of file work. */
function versionOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : '';
}

function parse(text: string): Map<string, Found[]> {
  const names = new Map<string, Found[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...listed] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    // With a zone an address means something on one interface alone, and nothing to a webhook.
    if ((family !== 4 && family !== 6) || address.includes('%')) continue;
    for (const name of listed) names.set(name, ordered([...(names.get(name) ?? []), { address, family }]));
  }
  return names;
}

function ordered(found: Found[]): Found[] {
  return found.sort((one, other) => one.family - other.family);
}
