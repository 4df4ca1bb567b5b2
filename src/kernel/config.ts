import type { Setting } from './settings.ts';
import { SETTINGS } from './settingsTable.ts';
import { snakeCase } from './snakeCase.ts';

type Fixed = 'baseUrl' | 'linkDomain';

export type { ListenAddress } from './settings.ts';

/** Computed from other settings where they are unset. */
interface Derived {
  /** Whether somebody said where the service is reached. */
  hasBaseUrl: boolean;
  shutdownDelaySeconds: number;
}
export type Config = {
  -readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
} & { [Name in Fixed]: string } & Derived;

/** The settings in force; filled by `loadConfig` before anything else runs. */
export const config = {} as Config;

/** A setting is wrong; `message` names it. The process stops with it. */
export class ConfigError extends Error {}

export function variableName(name: string): string {
  return snakeCase(name).toUpperCase();
}

/** Takes settings from a file `.env` in the working folder, if there is one; what the environment says wins. */
export function readEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Reads and checks every setting. Throws `ConfigError` naming all bad ones. An empty variable counts as unset. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, setting]) => {
      const variable = variableName(name);
      const given = env[variable]?.trim();
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

/** Whether a host, with its port if it has one, is this very machine. */
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

/** After listening on port 0: the addresses that were derived from PORT follow the real one. */
export function settlePort(port: number): void {
  if (config.port === port) return;
  const guessed = `localhost:${config.port}`;
  if (config.baseUrl === `http://${guessed}`) config.baseUrl = `http://localhost:${port}`;
  if (config.linkDomain === guessed) config.linkDomain = `localhost:${port}`;
  config.port = port;
}
