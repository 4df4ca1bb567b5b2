import type { BlockList } from 'node:net';
import * as s from './settings.ts';

/**
 * Every setting of the product. The environment variable is the name in capitals (`webhookTimeoutSeconds` is
 * WEBHOOK_TIMEOUT_SECONDS). `.env.example` is printed from this table.
 */
export const SETTINGS = {
  port: s.integer('Port to listen on; 0 takes a free one.', 3000, { max: 65535 }),
  host: s.text('Address to listen on; unset: every interface.'),
  dataDir: s.text('Folder of the embedded stores, the click journal and the secret key.', './data'),
  databaseUrl: s.postgresUrl('PostgreSQL for data and jobs; unset: SQLite and PGlite in DATA_DIR. Needs SECRET_KEY.'),
  databasePoolSize: s.integer('PostgreSQL connections of one process.', 10, { min: 2, max: 1000 }),
  sqliteSynchronous: s.oneOf('SQLite durability: FULL also survives a power cut.', ['NORMAL', 'FULL'], 'NORMAL'),
  baseUrl: s.origin('Origin of API, GraphQL and dashboard; unset: http://localhost:PORT.'),
  sdkUrl: s.origin('Second origin for the SDK endpoints; unset: BASE_URL alone.'),
  linkDomain: s.host('Default host of short links; unset: the host of BASE_URL.'),
  role: s.oneOf(
    'Which parts run; others than all need DATABASE_URL. web answers API and GraphQL, redirect follows links, worker runs jobs.',
    ['all', 'web', 'redirect', 'worker'],
    'all',
  ),
  allowPrivateTargets: s.flag('Development: webhooks may go to http, loopback and private addresses.', false),
  trustedProxies: s.addressBlocks('Proxies whose X-Forwarded-For is believed: addresses or CIDR blocks, with commas.'),
  secretKey: s.text('At least 32 characters that encrypt stored secrets; unset: a key is kept in DATA_DIR.'),
  secretKeyPrevious: s.text('The former SECRET_KEY, so that what it encrypted can still be read.'),
  ownerEmail: s.text('E-mail of the owner that the first start makes.', 'owner@example.com'),
  ownerPassword: s.text('Password of that owner; unset: one is made and printed once.'),
  logLevel: s.oneOf('How much is logged.', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  sessionSeconds: s.integer('How long a sign-in lasts.', 14 * 86_400, { min: 60 }),
  signInAttempts: s.integer('Failed sign-ins for one address or e-mail before a pause.', 10, { min: 1 }),
  signInPauseSeconds: s.integer('Length of that pause, and of the window that counts.', 900, { min: 1 }),
  shutdownSeconds: s.integer('How long a stop waits for what is in hand.', 25, { min: 1 }),
  linkCacheEntries: s.integer('Links, and unknown slugs, that a process keeps in memory.', 100_000, { min: 100 }),
  clickJournalSync: s.flag('Force each click onto the disk (fdatasync) before the redirect answers.', false),
  clickJournalMaxBytes: s.integer('Bound of the click journal while the store is down.', 1_073_741_824, {
    min: 65_536,
  }),
  clickDrainMilliseconds: s.integer('How often clicks move from the journal to the store.', 1000, { min: 10 }),
  trafficCollectSeconds: s.integer('How often clicks are collected into link.clicked events.', 60, { min: 1 }),
  webhookTimeoutSeconds: s.integer('Time for one delivery, from connecting to the last byte.', 10, { min: 1, max: 60 }),
  webhookRetrySeconds: s.integers(
    'Gaps between the attempts of a delivery; one more attempt than gaps.',
    [15, 60, 300, 1200, 3600, 7200, 14_400, 23_400, 36_000],
  ),
} as const satisfies Record<string, s.Setting<string | number | boolean | null | number[] | BlockList>>;

type Fixed = 'baseUrl' | 'linkDomain';
export type Config = {
  -readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name] extends s.Setting<infer T> ? T : never;
} & { [Name in Fixed]: string };

/** The settings in force; filled by `loadConfig` before anything else runs. */
export const config = {} as Config;

/** A setting is wrong; `message` names it. The process stops with it. */
export class ConfigError extends Error {}

export function variableName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
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
  config.baseUrl ??= `http://localhost:${config.port}`;
  config.linkDomain ??= new URL(config.baseUrl).host;
  return config;
}

function contradictions(values: Config): string[] {
  const problems: string[] = [];
  if (values.role !== 'all' && !values.databaseUrl) problems.push(`ROLE=${values.role} needs DATABASE_URL`);
  if (values.databaseUrl && !values.secretKey)
    problems.push('DATABASE_URL needs SECRET_KEY, the same in every process');
  if (values.secretKey && values.secretKey.length < 32) problems.push('SECRET_KEY must have at least 32 characters');
  if (values.ownerPassword && values.ownerPassword.length < 8)
    problems.push('OWNER_PASSWORD must have at least 8 characters');
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
