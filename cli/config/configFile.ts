import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CliError } from '../errors.ts';
import { replaceFile } from '../replaceFile.ts';

/** What is kept of one sign-in. Helpers of commands may keep more here, such as the secret of `svc listen`. */
export interface StoredProfile {
  url: string;
  key?: string;
  /** The id and name of the project that the key belongs to. */
  project?: { id: string; name: string };
  /** The signing secret of `svc listen`. */
  listenSecret?: string;
  /** The host of new links. */
  domain?: string;
}

/** The file of the person: its profiles, and which of them is used when nothing is said. */
export interface StoredConfig {
  current?: string;
  profiles: Record<string, StoredProfile>;
}

type Env = Record<string, string | undefined>;

const NOT_OURS = 0o077;

/** Where the config file is: `$XDG_CONFIG_HOME/svc/config.json`, on Windows below `%APPDATA%`. */
export function configPath(env: Env): string {
  const folder =
    process.platform === 'win32'
      ? (env.APPDATA ?? path.join(homedir(), 'AppData/Roaming'))
      : env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), '.config');
  return path.join(folder, 'svc', 'config.json');
}

/** Where things are kept that can be made again. */
export function cacheFolder(env: Env): string {
  if (process.platform === 'win32')
    return path.join(env.LOCALAPPDATA ?? path.join(homedir(), 'AppData/Local'), 'svc', 'cache');
  return path.join(env.XDG_CACHE_HOME || path.join(env.HOME || homedir(), '.cache'), 'svc');
}

/** What the config file holds. Refuses a file that others can read or write: it holds keys. */
export async function readConfig(env: Env): Promise<StoredConfig> {
  const file = configPath(env);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new CliError('failed', 'config_unreadable', `${file} cannot be read: ${error.message}`);
  });
  if (text === null) return { profiles: {} };
  await refuseWideRights(file);
  try {
    const stored = JSON.parse(text);
    return { ...stored, profiles: stored.profiles ?? {} };
  } catch {
    throw new CliError('failed', 'config_broken', `${file} is no JSON.`, 'Mend it, or delete it and run svc login.');
  }
}

/** Writes the file, a new one with the rights of its owner alone; nobody reads half of it. */
export async function writeConfig(env: Env, config: StoredConfig): Promise<void> {
  const file = configPath(env);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await chmod(path.dirname(file), 0o700);
  await replaceFile(file, `${JSON.stringify(config, null, 2)}\n`, 0o600);
}

/** Changes what is kept of a profile, and makes it if it is new. Null removes it. */
export async function updateProfile(env: Env, name: string, change: Partial<StoredProfile> | null): Promise<void> {
  const config = await readConfig(env);
  if (change === null) delete config.profiles[name];
  else config.profiles[name] = { ...(config.profiles[name] ?? { url: '' }), ...change };
  await writeConfig(env, config);
}

async function refuseWideRights(file: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode } = await stat(file);
  if ((mode & NOT_OURS) === 0) return;
  throw new CliError(
    'failed',
    'config_too_open',
    `${file} holds keys, and others can read or change it (rights ${(mode & 0o777).toString(8)}).`,
    `Run: chmod 600 '${file}'`,
  );
}
