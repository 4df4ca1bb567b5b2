import type { BlockList } from 'node:net';
import * as s from './settings.ts';
import { snakeCase } from './snakeCase.ts';

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
  rootDestination: s.webUrl('Where / of LINK_DOMAIN leads, if that is not the base host; unset: a page.'),
  notFoundDestination: s.webUrl('Where unknown slugs of LINK_DOMAIN lead; unset: a page.'),
  expiredDestination: s.webUrl('Where links of LINK_DOMAIN lead that are over and say nothing else; unset: a page.'),
  role: s.oneOf(
    'Which parts run; others than all need DATABASE_URL. web answers API and GraphQL, redirect follows links, worker runs jobs.',
    ['all', 'web', 'redirect', 'worker'],
    'all',
  ),
  allowPrivateTargets: s.flag('Development: webhooks and links may go to http, loopback and private addresses.', false),
  trustedProxies: s.addressBlocks('Proxies whose X-Forwarded-For is believed: addresses or CIDR blocks, with commas.'),
  secretKey: s.text('At least 32 characters that encrypt stored secrets; unset: a key is kept in DATA_DIR.'),
  secretKeyPrevious: s.text('The former SECRET_KEY, so that what it encrypted can still be read.'),
  ownerEmail: s.text('E-mail of the owner that the first start makes.', 'owner@example.com'),
  ownerPassword: s.text('Password of that owner; unset: one is made and printed once.'),
  logLevel: s.oneOf('How much is logged.', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  rateLimitPerMinute: s.integer('Requests a minute for each secret key.', 600, { min: 1 }),
  rateLimitPublishablePerMinute: s.integer('Requests a minute for each publishable key.', 6000, { min: 1 }),
  rateLimitPublishableAddressPerMinute: s.integer(
    'Requests a minute for each publishable key from one client address.',
    600,
    { min: 1 },
  ),
  rateLimitInstallPerMinute: s.integer('Requests a minute for each install of an app.', 30, { min: 1 }),
  rateLimitAddressPerMinute: s.integer('Requests a minute for an address without a valid key.', 120, { min: 1 }),
  rateLimitWindowSeconds: s.integer('The "minute" of these limits.', 60, { min: 1 }),
  requestSeconds: s.integer('How long a request to the REST API may take before it is answered with 503.', 60, {
    min: 1,
  }),
  idempotencySeconds: s.integer('How long an answer is kept for repeats with its Idempotency-Key.', 86_400, { min: 1 }),
  idempotencyLeaseSeconds: s.integer(
    'When a process dies while it answers a request with an Idempotency-Key, a repeat may act after this; more than REQUEST_SECONDS.',
    90,
    { min: 1 },
  ),
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
  clickRetentionDays: s.integer(
    'How many days single clicks are kept; figures of all time stay. At least 3: installs are matched with them.',
    400,
    { min: 3 },
  ),
  rollupSeconds: s.integer('How often clicks are looked for that can be counted ahead.', 10, { min: 1 }),
  analyticsMemoryBytes: s.integer(
    'Memory in which a process keeps what analytics has read of clicks, for the next questions; 0: none.',
    67_108_864,
  ),
  scannerBurstLinks: s.integer(
    'An address that follows more links of a team than this in a burst is a scanner; 0: off.',
    20,
  ),
  scannerBurstSeconds: s.integer('Length of such a burst; 0: off.', 10),
  scannerNetworks: s.addressBlocks('Networks whose clicks are scanners: addresses or CIDR blocks, with commas.'),
  cityDatabase: s.text('File of a MaxMind city database (mmdb), for region and city; unset: countries alone.'),
  orphansPerMinute: s.integer(
    'Requests for unknown slugs that a process records one by one; more are only counted.',
    600,
  ),
  passwordAttempts: s.integer('Wrong passwords for one link from one address before a pause.', 10, { min: 1 }),
  passwordPauseSeconds: s.integer('Length of that pause, and of the window that counts.', 600, { min: 1 }),
  passwordSessionSeconds: s.integer('How long a link remembers who gave its password.', 86_400, { min: 60 }),
  matchSharedVisitors: s.integer(
    'An address from which more people than this followed links of a project within a day is shared: it says nothing of an install.',
    8,
    { min: 1 },
  ),
  sharedNetworks: s.addressBlocks(
    'Networks whose addresses many people share (carriers, relays, data centres): addresses or CIDR blocks, with commas.',
  ),
  sharedNetworkFiles: s.text(
    'Files of such networks, with commas: one a line, what follows a comma or # is passed over, as in the list of iCloud Private Relay.',
  ),
  networkDatabase: s.text(
    'File of a MaxMind database (mmdb) that knows carriers, relays or data centres: ASN, Anonymous-IP or Connection-Type.',
  ),
  attributionDays: s.integer('For how many days events of an app belong to the link that led to its install.', 30, {
    min: 1,
  }),
  appEventRetentionDays: s.integer('How many days openings and events of apps are kept.', 400, { min: 1 }),
  matchReportDays: s.integer('How many days it can be read why an install matched or did not.', 90, { min: 1 }),
  liveConnections: s.integer('Live streams of clicks that one process serves at once.', 200, { min: 1 }),
  liveBeatSeconds: s.integer('How often a live stream shows that it is alive and its session is looked at again.', 15, {
    min: 1,
    max: 30,
  }),
  trafficCollectSeconds: s.integer('How often clicks are collected into link.clicked events.', 60, { min: 1 }),
  searchScanRows: s.integer('Newest links of a project that a search looks through which no index serves.', 100_000, {
    min: 1,
  }),
  eventRetentionDays: s.integer('How many days back events are listed.', 30, { min: 1 }),
  newAccountDays: s.integer('A team counts as a new account for this many days; 0: never.', 7),
  newAccountLinksPerHour: s.integer('Links that a new account makes in an hour.', 100, { min: 1 }),
  newAccountLinksPerDay: s.integer('Links that a new account makes in a day.', 500, { min: 1 }),
  blocklistFiles: s.text(
    'Files of harmful sites, with commas: a host (its sub-domains too) or the beginning of a URL a line, # for comments.',
  ),
  blocklistReloadSeconds: s.integer('How often these files are looked at for changes.', 10, { min: 1 }),
  webRiskApiKey: s.text('Key of the Google Web Risk API; with it every destination is looked up there.'),
  webRiskUrl: s.origin('Where that API is; unset: https://webrisk.googleapis.com.'),
  webRiskTimeoutMilliseconds: s.integer('Time for one question to it.', 1000, { min: 1 }),
  webRiskBudgetMilliseconds: s.integer('Time for all questions about the links of one request.', 3000, { min: 1 }),
  rescanSeconds: s.integer('How often each link is scanned again.', 86_400, { min: 1 }),
  rescanPauseSeconds: s.integer('How often links to scan again, and requested reviews, are looked for.', 5, {
    min: 1,
  }),
  importMaxRows: s.integer('Largest number of rows in a CSV file to import.', 100_000, { min: 1 }),
  importBatchRows: s.integer('Rows that an import writes at once.', 250, { min: 1, max: 5000 }),
  importLeaseSeconds: s.integer('When a process dies while it runs an import, another goes on after this.', 30, {
    min: 1,
  }),
  importRetrySeconds: s.integer('How often an import that waits for the end of survival mode is tried again.', 15, {
    min: 1,
  }),
  importPollMilliseconds: s.integer('How often imports that wait are looked for.', 500, { min: 10 }),
  webhookTimeoutSeconds: s.integer('Time for one delivery, from connecting to the last byte.', 10, { min: 1, max: 60 }),
  webhookDnsMilliseconds: s.integer('Time to find the addresses of a receiver, within that.', 5000, { min: 1 }),
  webhookRetrySeconds: s.integers(
    'Gaps between the attempts of a delivery; one more attempt than gaps.',
    [15, 60, 300, 1200, 3600, 7200, 14_400, 23_400, 36_000],
  ),
  webhookCircuitAfter: s.integer(
    'Failed attempts in a row after which a webhook gets one probe at a time; 0: it never does.',
    5,
  ),
  webhookProbeSeconds: s.integer('Pause before the first probe; it doubles with each that fails.', 15, { min: 1 }),
  webhookProbeMaxSeconds: s.integer('Longest pause between probes.', 1800, { min: 1 }),
  webhookDisableAfter: s.integer('Failed attempts in a row that switch a webhook off; 0: nothing does.', 20),
  webhookHeldSeconds: s.integer('How long deliveries of a webhook that is switched off wait for it.', 259_200, {
    min: 1,
  }),
  webhookMaxInFlight: s.integer('Requests to webhooks that one process makes at once.', 500, { min: 10 }),
  webhookSweepSeconds: s.integer('How often webhooks are looked for that were left with something to send.', 5, {
    min: 1,
  }),
  deliveryRetentionDays: s.integer('How many days deliveries and their attempts are kept.', 30, { min: 1 }),
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
