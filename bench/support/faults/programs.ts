import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Programs of others that plays need. */
export interface Programs {
  /** Folder with initdb, postgres and pg_basebackup. */
  postgresFolder: string;
  /** libfaketime, which LD_PRELOAD loads. */
  faketime: string;
}

const POSTGRES = '/usr/lib/postgresql';
const FAKETIME = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`,
);

/** Finds them. Throws with the Debian packages that are missing. */
export function findPrograms({ caddy, clocks }: { caddy: boolean; clocks: boolean }): Programs {
  if (process.platform !== 'linux') throw new Error('Faults are played on Linux alone: they are seen in /proc.');
  const postgresFolder = newestPostgres();
  const faketime = FAKETIME.find((file) => existsSync(file));
  const missing: string[] = [];
  if (!postgresFolder) missing.push('postgresql (its server programs in /usr/lib/postgresql/VERSION/bin)');
  if (!isThere('haproxy', ['-v'])) missing.push('haproxy');
  if (caddy && !isThere('caddy', ['version'])) missing.push('caddy');
  if (clocks && !faketime) missing.push('libfaketime');
  if (missing.length > 0) throw new Error(`These packages are missing: ${missing.join(', ')}.`);
  return { postgresFolder: postgresFolder ?? '', faketime: faketime ?? '' };
}

function newestPostgres(): string | undefined {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).map(Number).filter(Number.isInteger) : [];
  return versions
    .sort((one, other) => other - one)
    .map((version) => path.join(POSTGRES, String(version), 'bin'))
    .find((folder) => existsSync(path.join(folder, 'initdb')));
}

function isThere(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** The user who runs PostgreSQL, which refuses to be run by root: undefined for whoever runs this. Throws without one. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const ask = (what: string) =>
    Number(spawnSync('id', [what, 'postgres'], { encoding: 'utf8' }).stdout?.trim() || Number.NaN);
  const user = { uid: ask('-u'), gid: ask('-g') };
  if (!Number.isInteger(user.uid)) throw new Error('Root cannot run PostgreSQL, and there is no user postgres.');
  return user;
}
