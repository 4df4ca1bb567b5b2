import type { Setting } from './settings/kinds.ts';
import { FORMER_NAMES, SETTINGS } from './settings/table.ts';
import { snakeCase } from './wire.ts';

/** Settings that `loadConfig` always fills, though they may be unset. */
type Filled = 'baseUrl' | 'linkDomain';

export type { ListenAddress } from './settings/kinds.ts';

/** Settings that are derived from others when they are unset. */
interface Derived {
  /** Whether BASE_URL is set. */
  hasBaseUrl: boolean;
  shutdownDelaySeconds: number;
}
export type Config = {
  -readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
} & { [Name in Filled]: string } & Derived;

/** The settings of this process. `loadConfig` fills it before anything else runs. */
export const config = {} as Config;

/** One or more settings are invalid; `message` names them. The process does not start. */
export class ConfigError extends Error {}

/** The environment variable of a setting: `webhookTimeoutSeconds` is WEBHOOK_TIMEOUT_SECONDS. */
export function variableName(name: string): string {
  return snakeCase(name).toUpperCase();
}

/** Reads a `.env` file in the working directory, if there is one. The environment takes precedence. */
export function readEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Sets DATA_DIR to what `folderOf` gives, unless it is set. Returns what it is then. Call it before `loadConfig`. */
export function placeDataDir(folderOf: () => string): string {
  process.env.DATA_DIR = process.env.DATA_DIR?.trim() || folderOf();
  return process.env.DATA_DIR;
}

/** Reads and checks every setting. Throws a `ConfigError` that names all invalid ones. An empty variable is unset. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, setting]) => {
      const variable = variableName(name);
      const given = env[variable]?.trim() || env[formerNameOf(name)]?.trim();
      if (!given) return [name, setting.fallback];
      try {
        return [name, setting.parse(given)];
      } catch (error) {
        problems.push(`${variable} ${(error as Error).message}`);
        return [name, setting.fallback];
      }
    }),
  );
  Object.assign(config, values);
  problems.push(...contradictions(config));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  config.hasBaseUrl = config.baseUrl !== null;
  config.baseUrl ??= `http://localhost:${config.port}`;
  config.linkDomain ??= new URL(config.baseUrl).host;
  config.shutdownDelaySeconds ??= isLoopback(new URL(config.baseUrl).host)
    ? 0
    : Number(SETTINGS.shutdownDelaySeconds.shown);
  return config;
}

/** The environment for a program that this process runs: its own, and `more`. */
export function childEnvironment(more: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/** The variables of the settings that differ from their defaults, without their values. */
export function changedSettings(): string[] {
  return Object.entries(SETTINGS)
    .filter(([name, { fallback }]) => {
      const value = config[name as keyof typeof SETTINGS] as unknown;
      return JSON.stringify(value) !== JSON.stringify(fallback) && !isDerived(name);
    })
    .map(([name]) => variableName(name));
}

/** Unset, these have values that `loadConfig` derives. */
function isDerived(name: string): boolean {
  if (name === 'baseUrl') return !config.hasBaseUrl;
  if (name === 'linkDomain') return config.linkDomain === new URL(config.baseUrl).host;
  return name === 'shutdownDelaySeconds';
}

/** Variables of the environment with names of earlier versions, and the names that they have now. */
export function formerNamesIn(env: NodeJS.ProcessEnv): { former: string; name: string }[] {
  return Object.entries(FORMER_NAMES)
    .filter(([former]) => env[former]?.trim())
    .map(([former, setting]) => ({ former, name: variableName(setting) }));
}

function formerNameOf(setting: string): string {
  return Object.entries(FORMER_NAMES).find(([, name]) => name === setting)?.[0] ?? '';
}

/** Whether a host, with or without a port, is this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

function contradictions(values: Config): string[] {
  const problems: string[] = [];
  if (values.role !== 'all' && !values.databaseUrl) problems.push(`ROLE=${values.role} needs DATABASE_URL`);
  if (values.databaseUrl && !values.secretKey)
    problems.push('DATABASE_URL needs SECRET_KEY, the same in every process');
  if (values.secretKey && values.secretKey.length < 32) problems.push('SECRET_KEY must have at least 32 characters');
  if (values.metricsToken && values.metricsToken.length < 16)
    problems.push('METRICS_TOKEN must have at least 16 characters');
  if (values.ownerPassword && values.ownerPassword.length < 8)
    problems.push('OWNER_PASSWORD must have at least 8 characters');
  if (values.idempotencyLeaseSeconds <= values.requestSeconds)
    problems.push('IDEMPOTENCY_LEASE_SECONDS must be more than REQUEST_SECONDS');
  return problems;
}

/** After listening on port 0: replaces the port in the addresses that were derived from PORT. */
export function adoptPort(port: number): void {
  if (config.port === port) return;
  const placeholder = `localhost:${config.port}`;
  if (config.baseUrl === `http://${placeholder}`) config.baseUrl = `http://localhost:${port}`;
  if (config.linkDomain === placeholder) config.linkDomain = `localhost:${port}`;
  config.port = port;
}
