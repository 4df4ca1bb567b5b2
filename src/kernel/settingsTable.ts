import type { BlockList } from 'node:net';
import * as s from './settings.ts';

/**
 * Every setting of the product. The environment variable is the name in capitals (`webhookTimeoutSeconds` is
 * WEBHOOK_TIMEOUT_SECONDS). `.env.example` is printed from this table.
 */
export const SETTINGS = {
  port: s.integer('Port to listen on; 0 takes a free one.', 3000, { max: 65535 }),
  host: s.text('Address to listen on, such as 0.0.0.0; unset: every one, or without BASE_URL this machine alone.'),
  dataDir: s.text('Folder of the embedded stores, the click journal and the secret key.', './data'),
  databaseUrl: s.postgresUrl('PostgreSQL for data and jobs; unset: SQLite and PGlite in DATA_DIR. Needs SECRET_KEY.'),
  databasePoolSize: s.integer('PostgreSQL connections of one process.', 10, { min: 2, max: 1000 }),
  databaseQuerySeconds: s.integer(
    'How long one statement may take on PostgreSQL before its connection is given up; migrations take as long as they need.',
    60,
    { min: 2, max: 86_400 },
  ),
  sqliteSynchronous: s.oneOf('SQLite durability: FULL also survives a power cut.', ['NORMAL', 'FULL'], 'NORMAL'),
  baseUrl: s.origin('Origin of API, GraphQL and dashboard; unset: http://localhost:PORT.'),
  sdkUrl: s.origin('Second origin for the SDK endpoints; unset: BASE_URL alone.'),
  linkDomain: s.host('Default host of short links; unset: the host of BASE_URL.'),
  sharedDomainApps: s.oneOf(
    'Whose apps open links of LINK_DOMAIN: those of the team of the first start, or of all teams. An app opens every link there.',
    ['first', 'all'],
    'first',
  ),
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
  secretKeyPrevious: s.formerKeys(
    'Former values of SECRET_KEY, with commas, so that what they encrypted can still be read; see npm run admin -- reseal.',
  ),
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
  rateLimitEventsPerMinute: s.integer('Events a minute that apps send with one publishable key.', 20_000, { min: 1 }),
  rateLimitAddressEventsPerMinute: s.integer('The same from one client address.', 1000, { min: 1 }),
  rateLimitInstallPerMinute: s.integer('Requests a minute for each install of an app.', 30, { min: 1 }),
  rateLimitAddressPerMinute: s.integer('Requests a minute for an address without a valid key.', 120, { min: 1 }),
  rateLimitRowsPerMinute: s.integer('Links a minute that each secret key may name in bulk calls.', 60_000, {
    min: 1000,
  }),
  rateLimitSessionPerMinute: s.integer('Requests a minute to GraphQL for each session.', 600, { min: 1 }),
  rateLimitWindowSeconds: s.integer('The "minute" of these limits.', 60, { min: 1 }),
  requestSeconds: s.integer(
    'How long a request to the API may take before it is answered with 503, and its body to arrive before 408.',
    60,
    {
      min: 1,
    },
  ),
  idempotencySeconds: s.integer('How long an answer is kept for repeats with its Idempotency-Key.', 86_400, { min: 1 }),
  idempotencyMegabytes: s.integer(
    'What one key may have stored of answers for such repeats, in megabytes within IDEMPOTENCY_SECONDS; compressed where they are large.',
    1000,
    { min: 1 },
  ),
  idempotencyLeaseSeconds: s.integer(
    'When a process dies while it answers a request with an Idempotency-Key, a repeat may act after this; more than REQUEST_SECONDS.',
    90,
    { min: 1 },
  ),
  sessionSeconds: s.integer('How long a sign-in lasts.', 14 * 86_400, { min: 60 }),
  signInAttempts: s.integer('Wrong passwords for one account from one address before a pause.', 10, { min: 1 }),
  signInAddressAttempts: s.integer(
    'Wrong passwords from one address, for all accounts together, before a pause.',
    100,
    {
      min: 1,
    },
  ),
  signInAccountAttempts: s.integer(
    'Wrong passwords for one account in an hour, from all addresses together; browsers that signed in to it before are not held up.',
    100,
    { min: 1 },
  ),
  knownBrowserDays: s.integer('For how many days a browser is known to an account that it signed in to.', 180, {
    min: 1,
    max: 400,
  }),
  signInPauseSeconds: s.integer('Length of the pause for an address, and of the window that counts.', 900, { min: 1 }),
  keepAliveSeconds: s.integer(
    'How long a connection is kept for the next request; longer than the proxies in front keep theirs.',
    75,
    { min: 1, max: 3600 },
  ),
  uploadSeconds: s.integer('How long the file of an import may take to arrive.', 600, { min: 1, max: 86_400 }),
  shutdownDelaySeconds: s.derivedInteger(
    'How long requests are answered after SIGTERM while /readyz says 503, so that balancers notice; on localhost 0.',
    5,
    { max: 3600 },
  ),
  shutdownSeconds: s.integer('How long a stop then waits for what is in hand.', 25, { min: 1 }),
  linkCacheEntries: s.integer(
    'Links that a process keeps in memory; a tenth as many unknown slugs are kept beside them.',
    100_000,
    { min: 100 },
  ),
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
  distinctValuesPerDay: s.integer(
    'Referrers, and languages, of the clicks of a project in a UTC day that a process counts by name; later ones count as other.',
    5000,
    { min: 1 },
  ),
  orphansPerMinute: s.integer(
    'Requests for unknown slugs that a process records one by one; more are only counted.',
    600,
  ),
  passwordAttempts: s.integer('Wrong passwords for one link from one address before a pause.', 10, { min: 1 }),
  passwordAttemptsFromAll: s.integer(
    'Wrong passwords for one link from all addresses together before a pause for everybody who has not passed before.',
    1000,
    { min: 1 },
  ),
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
  sdkEventsPerDay: s.integer('Events that apps of a project send in a UTC day.', 1_000_000, { min: 1 }),
  sdkInstallsPerDay: s.integer('Installs of a project that become known in a UTC day.', 100_000, { min: 1 }),
  eventNamesPerProject: s.integer(
    'Names of events that are counted apart in a project; later ones count as other.',
    500,
    {
      min: 1,
    },
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
  dnsServers: s.nameServers('Name servers to ask, with commas; unset: those of the system.'),
  linkTarget: s.host('Name that link domains point to by CNAME; unset: LINK_DOMAIN.'),
  linkAddresses: s.addresses(
    'Addresses that link domains point to by A and AAAA records, with commas; unset: those of LINK_DOMAIN.',
  ),
  domainProof: s.oneOf(
    'What proves a link domain: its TXT record alone, or any, which counts a name that leads here too. auto: txt where SIGN_UP=open is set, else any.',
    ['auto', 'txt', 'any'],
    'auto',
  ),
  domainRetrySeconds: s.integers(
    'Gaps between looks at a domain that is not verified; the last one repeats.',
    [60, 120, 300, 900, 3600, 10_800, 21_600, 43_200],
  ),
  domainPendingDays: s.integer('How many days a domain is looked at that was never verified; then on request.', 30, {
    min: 1,
  }),
  domainLookPauseMilliseconds: s.integer(
    'How long after a look at a domain that was asked for the next one begins.',
    2000,
  ),
  domainRecheckSeconds: s.integer('How often a verified domain is looked at again.', 3600, { min: 1 }),
  domainFailAfter: s.integer('Looks in a row that must fail before a verified domain counts as failing.', 3, {
    min: 2,
  }),
  domainsPerProject: s.integer('Domains that a project may have.', 100, { min: 1 }),
  askPort: s.integer('Port of the endpoint that tells Caddy for which hosts to get certificates; 0: none.', 0, {
    max: 65_535,
  }),
  askHost: s.text('Address that endpoint listens on.', '127.0.0.1'),
  metricsPort: s.listenAddress(
    'Port on which /metrics answers anybody who reaches it, on loopback unless an address stands before it (0.0.0.0:9100).',
  ),
  metricsToken: s.text('With it /metrics of BASE_URL answers whoever sends it as a bearer token; unset: 404 there.'),
  probeTimeoutSeconds: s.integer('Time for one request to a host that is checked.', 10, { min: 1, max: 60 }),
  healthCheckSeconds: s.integer('How often the health of each project is checked.', 300, { min: 1 }),
  healthConcurrency: s.integer('Projects whose health one process checks at once.', 4, { min: 1, max: 100 }),
  healthHistoryDays: s.integer('How many days the history of health checks is kept.', 30, { min: 1 }),
  healthRunSeconds: s.integer(
    'Time for all checks of a project; what could not be looked at by then stays as it was.',
    30,
    { min: 1, max: 300 },
  ),
  healthRunPauseSeconds: s.integer(
    'How far apart the runs of a project are that somebody asks for, on average; a few at once are let through.',
    5,
  ),
  silentKeyDays: s.integer('Publishable keys that no app has used for so many days are warned of.', 7, { min: 1 }),
  appStoreUrl: s.originOrNone(
    'Where pages of the App Store are looked for; none: they are not.',
    'https://apps.apple.com',
  ),
  playStoreUrl: s.originOrNone(
    'Where pages of Google Play are looked for; none: they are not.',
    'https://play.google.com',
  ),
  certificateWarningDays: s.integer('A certificate that ends within so many days is warned of.', 14, { min: 1 }),
  trafficWatch: s.flag('Look for traffic that is not as usual.', true),
  signUp: s.oneOf(
    'Who may make an account: anybody, those who are invited, or nobody. auto: open on this machine while BASE_URL is there, else invitation.',
    ['auto', 'open', 'invitation', 'closed'],
    'auto',
  ),
  signUpsPerHour: s.integer('Sign-ups from one address in an hour.', 10, { min: 1 }),
  removedMemberKeySeconds: s.integer(
    'How long the secret keys of a member go on working who was removed or has left, unless an admin keeps them; 0: not at all.',
    86_400,
  ),
  ownedTeams: s.integer('Teams that one person owns; more cannot be made.', 10, { min: 1 }),
  secondFactorAttempts: s.integer('Wrong codes of a second factor for one account in a day before a pause.', 20, {
    min: 1,
  }),
  pendingInvitations: s.integer('Invitations of a team that wait at once.', 100, { min: 1 }),
  invitationsPerHour: s.integer('Invitations that a team sends in an hour.', 50, { min: 1 }),
  newAccountInvitationsPerDay: s.integer('Invitations of a new account, and of each person in one, in a day.', 20, {
    min: 1,
  }),
  passwordResetsPerHour: s.integer(
    'Mails to set a new password that one e-mail gets in an hour; five times as many can be asked for from one address.',
    3,
    { min: 1 },
  ),
  emailConfirmationSeconds: s.integer('How long a link to confirm an e-mail is good.', 86_400, { min: 60 }),
  emailConfirmationsPerHour: s.integer('Mails to confirm a sign-up that one e-mail gets in an hour.', 3, { min: 1 }),
  unconfirmedAccountDays: s.integer('For how many days an account is kept whose e-mail was never confirmed.', 7, {
    min: 1,
  }),
  invitationSeconds: s.integer('How long an invitation is good.', 7 * 86_400, { min: 60 }),
  passwordResetSeconds: s.integer('How long a link to set a new password is good.', 3600, { min: 60 }),
  auditRetentionDays: s.integer('How many days it can be read who changed what.', 365, { min: 1 }),
  smtpUrl: s.smtpUrl(
    'Mail server, with user and password; unset: no mail is sent, alerts stay on the page and in the log.',
  ),
  mailFrom: s.mailbox(
    'Sender of mails: an address, or a name and an address; unset: no-reply at the host of BASE_URL.',
  ),
  mailTimeoutSeconds: s.integer('Time for each step of handing over a mail.', 20, { min: 1, max: 300 }),
  mailRetrySeconds: s.integers(
    'Gaps between the attempts to hand over a mail; one more attempt than gaps.',
    [30, 120, 600, 3600, 14_400, 43_200],
  ),
  mailRetentionDays: s.integer('How many days it is kept which mails were sent.', 30, { min: 1 }),
  mailAlertsPerHour: s.integer(
    'Alerts that are mailed to one person one by one in an hour; of those beyond it is told in one mail.',
    20,
    { min: 1 },
  ),
  mailDigestSeconds: s.integer('For how long those beyond it are gathered for that mail.', 600, { min: 1 }),
  alertRetentionDays: s.integer('How many days alerts are kept that are over.', 400, { min: 1 }),
  webhookTimeoutSeconds: s.integer('Time for one delivery, from connecting to the last byte.', 10, { min: 1, max: 60 }),
  webhookDnsMilliseconds: s.integer('Time to find the addresses of a receiver, within that.', 5000, { min: 1 }),
  webhookRetrySeconds: s.integers(
    'Gaps between the attempts of a delivery; one more attempt than gaps. none: one attempt alone.',
    [15, 60, 300, 1200, 3600, 7200, 14_400, 23_400, 36_000],
    { orNone: true },
  ),
  webhookCircuitAfter: s.integer(
    'Failed attempts in a row after which a webhook gets one probe at a time; 0: it never does.',
    5,
  ),
  webhookProbeSeconds: s.integer('Pause before the first probe; it doubles with each that fails.', 15, { min: 1 }),
  webhookProbeMaxSeconds: s.integer('Longest pause between probes.', 1800, { min: 1 }),
  webhookDisableAfter: s.integer('Failed attempts in a row that switch a webhook off; 0: they never do.', 20),
  webhookHeldSeconds: s.integer('How long deliveries of a webhook that is switched off wait for it.', 259_200, {
    min: 1,
  }),
  webhookMaxInFlight: s.integer('Requests to webhooks that one process makes at once.', 500, { min: 10 }),
  webhookSweepSeconds: s.integer('How often webhooks are looked for that were left with something to send.', 5, {
    min: 1,
  }),
  deliveryRetentionDays: s.integer('How many days deliveries and their attempts are kept.', 30, { min: 1 }),
} as const satisfies Record<
  string,
  s.Setting<string | number | boolean | null | number[] | string[] | BlockList | s.ListenAddress>
>;
