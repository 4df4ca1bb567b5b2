import * as s from './kinds.ts';

/** Where the service listens and is reached, what it stores data in, how it starts and stops. */
export const SERVER_SETTINGS = {
  port: s.integer('Port to listen on; 0 picks a free one.', 3000, { max: 65535 }),
  host: s.text(
    'Address to listen on, such as 0.0.0.0. Unset: all addresses if BASE_URL is set, otherwise this machine only.',
  ),
  dataDir: s.text('Folder of the embedded stores, the click journal and the secret key.', './data'),
  databaseUrl: s.postgresUrl('PostgreSQL for data and jobs; unset: SQLite and PGlite in DATA_DIR. Needs SECRET_KEY.'),
  databasePoolSize: s.integer('PostgreSQL connections per process.', 10, { min: 2, max: 1000 }),
  jobsBackend: s.oneOf(
    'The kind of store at DATABASE_URL, for pg-boss, which keeps the jobs there; before the first start. See docs/engines.md.',
    ['postgres', 'cockroachdb', 'yugabytedb', 'citus'],
    'postgres',
  ),
  databaseQuerySeconds: s.integer(
    'Longest time for one PostgreSQL statement; after that its connection is closed. Migrations have no limit.',
    60,
    { min: 2, max: 86_400 },
  ),
  migrate: s.oneOf(
    'auto: a process that starts migrates the store. off: it ends when migrations are missing; npm run admin -- migrate runs them.',
    ['auto', 'off'],
    'auto',
  ),
  sqliteSynchronous: s.oneOf('Durability of SQLite: FULL also survives a power failure.', ['NORMAL', 'FULL'], 'NORMAL'),
  baseUrl: s.origin('Origin of the API, GraphQL and the dashboard; unset: http://localhost:PORT.'),
  sdkUrl: s.origin('Second origin for the SDK endpoints; unset: BASE_URL only.'),
  role: s.oneOf(
    'Which parts this process runs: web serves the API and GraphQL, redirect serves links, worker runs jobs. Any role but all needs DATABASE_URL.',
    ['all', 'web', 'redirect', 'worker'],
    'all',
  ),
  graphiql: s.flag(
    'For development: serves GraphiQL at /graphql to signed-in browsers, and a form to sign in to others; npm run dev sets it. npm run build:graphiql builds it.',
    false,
  ),
  allowPrivateTargets: s.flag(
    'For development: webhooks and links may point to http, loopback and private addresses.',
    false,
  ),
  trustedProxies: s.addressBlocks(
    'Proxies whose X-Forwarded-For is trusted: addresses or CIDR blocks, comma-separated.',
  ),
  secretKey: s.text('Encrypts stored secrets; at least 32 characters. Unset: a key is generated and kept in DATA_DIR.'),
  secretKeyPrevious: s.formerKeys(
    'Former values of SECRET_KEY, comma-separated, to read what they encrypted; see npm run admin -- reseal.',
  ),
  ownerEmail: s.text('Email address of the owner account created at first start.', 'owner@example.com'),
  ownerPassword: s.text('Password of that owner; unset: one is generated and shown once.'),
  logLevel: s.oneOf('Log level.', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  logProcess: s.flag('Role, host and process id in each line of the log.', true),
  requestSeconds: s.integer(
    'Longest time for an API request before it is answered with 503, and for its body to arrive before 408.',
    60,
    { min: 1 },
  ),
  uploadSeconds: s.integer('Longest time for the file of an import to arrive.', 600, { min: 1, max: 86_400 }),
  keepAliveSeconds: s.integer(
    'How long an idle connection is kept open; choose more than the proxies in front keep theirs.',
    75,
    { min: 1, max: 3600 },
  ),
  shutdownDelaySeconds: s.derivedInteger(
    'How long requests are still answered after SIGTERM while /readyz returns 503, so that load balancers notice; 0 on localhost.',
    5,
    { max: 3600 },
  ),
  shutdownSeconds: s.integer('How long a shutdown then waits for running work.', 25, { min: 1 }),
  dnsServers: s.nameServers('DNS servers to query, comma-separated; unset: those of the system.'),
  askPort: s.integer(
    'Port of the endpoint that tells Caddy for which hosts it may request certificates; 0: no endpoint.',
    0,
    { max: 65_535 },
  ),
  askHost: s.text('Address on which that endpoint listens.', '127.0.0.1'),
  metricsPort: s.listenAddress(
    'Port that serves /metrics without authentication; on loopback unless an address precedes it (0.0.0.0:9100).',
  ),
  otelExporterOtlpEndpoint: s.webUrl(
    'OpenTelemetry collector that spans are sent to (OTLP over HTTP, http://localhost:4318); unset: no tracing.',
  ),
  otelServiceName: s.text('Name of the service in traces.', 'svc'),
  tracesPercent: s.integer('Share of requests, jobs and webhook attempts that are traced, in percent.', 100, {
    max: 100,
  }),
  metricsToken: s.text('Bearer token for /metrics on BASE_URL; unset: BASE_URL/metrics returns 404.'),
};
