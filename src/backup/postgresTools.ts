import { spawn } from 'node:child_process';
import type { PostgresClient } from '../db/connection/postgresClient.ts';
import { childEnvironment } from '../kernel/config.ts';
import { BackupProblem } from './manifest.ts';

type Tool = 'pg_dump' | 'pg_restore';

/** Output of a tool that is kept for its error: the last characters. */
const KEPT_CHARS = 4000;

/**
 * Runs a tool of PostgreSQL on the database at `url`. The password goes through the environment, because everybody on the
 * machine can read the arguments of a process. Throws a `BackupProblem` with what the tool said.
 */
export async function runTool(tool: Tool, url: string, args: string[]): Promise<void> {
  const { address, password } = forTools(url);
  await run(tool, [`--dbname=${address}`, ...args], password === null ? {} : { PGPASSWORD: password });
}

/** Throws a `BackupProblem` when the tool is missing, or older than the server, whose dumps it could not write or read. */
export async function checkVersion(tool: Tool, client: PostgresClient): Promise<void> {
  const said = await run(tool, ['--version'], {});
  const ours = Number(/(\d+)(\.\d+|devel|beta\d+|rc\d+)/.exec(said)?.[1]);
  const { rows } = await client.query('SHOW server_version_num');
  const server = Math.floor(Number(rows[0].server_version_num) / 10_000);
  if (ours >= server) return;
  throw new BackupProblem(
    `${tool} is of version ${ours || 'unknown'}, and the server of version ${server}. Install the client programs of PostgreSQL ${server} or newer, and have PATH find them first.`,
  );
}

function run(tool: Tool, args: string[], environment: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { env: childEnvironment(environment), stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (out = `${out}${chunk}`.slice(-KEPT_CHARS)));
    child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk}`.slice(-KEPT_CHARS)));
    child.on('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT';
      reject(
        isMissing
          ? new BackupProblem(`${tool} is not in PATH. Install the client programs of PostgreSQL on this machine.`)
          : error,
      );
    });
    child.on('close', (code, signal) => {
      if (code === 0) resolve(out);
      else reject(new BackupProblem(`${tool} failed (${signal ?? `exit code ${code}`}): ${said.trim()}`));
    });
  });
}

/** A connection URL as libpq reads it, and its password. The driver of Node has two spellings of its own for TLS. */
function forTools(url: string): { address: string; password: string | null } {
  const address = new URL(url);
  const password = address.password === '' ? null : decodeURIComponent(address.password);
  address.password = '';
  const { searchParams } = address;
  if (['true', '1'].includes(searchParams.get('ssl') ?? '')) searchParams.set('sslmode', 'require');
  searchParams.delete('ssl');
  if (searchParams.get('sslmode') === 'no-verify') searchParams.set('sslmode', 'require');
  return { address: address.href, password };
}
