import * as s from './kinds.ts';

/** Links: their domains, redirects, passwords, scans of destinations, search and imports. */
export const LINK_SETTINGS = {
  linkDomain: s.host('Default host of short links; unset: the host of BASE_URL.'),
  sharedDomainApps: s.oneOf(
    'Whose apps open links of LINK_DOMAIN: those of the team created at first start, or of all teams. Each app opens every link of that domain.',
    ['first', 'all'],
    'first',
  ),
  rootDestination: s.webUrl('Where / of LINK_DOMAIN redirects, if that is not the host of BASE_URL; unset: a page.'),
  notFoundDestination: s.webUrl('Where unknown slugs of LINK_DOMAIN redirect; unset: a page.'),
  expiredDestination: s.webUrl(
    'Where expired links of LINK_DOMAIN without a destination of their own redirect; unset: a page.',
  ),
  linkTarget: s.host('Host name that custom link domains point to by CNAME; unset: LINK_DOMAIN.'),
  linkAddresses: s.addresses(
    'Addresses that custom link domains point to by A and AAAA records, comma-separated; unset: those of LINK_DOMAIN.',
  ),
  domainProof: s.oneOf(
    'What proves ownership of a link domain: txt accepts only its TXT record, any also accepts a name that resolves to this service. auto: txt if SIGN_UP=open, otherwise any.',
    ['auto', 'txt', 'any'],
    'auto',
  ),
  domainRetrySeconds: s.integers(
    'Delays between checks of an unverified domain; the last one repeats.',
    [60, 120, 300, 900, 3600, 10_800, 21_600, 43_200],
  ),
  domainPendingDays: s.integer(
    'Days for which a domain that was never verified is checked automatically; afterwards only on request.',
    30,
    { min: 1 },
  ),
  domainCheckPauseMilliseconds: s.integer('Minimum delay between two requested checks of a domain.', 2000),
  domainRecheckSeconds: s.integer('How often a verified domain is checked again.', 3600, { min: 1 }),
  domainFailAfter: s.integer('Consecutive failed checks after which a verified domain counts as failing.', 3, {
    min: 2,
  }),
  domainsPerProject: s.integer('Domains that a project may have.', 100, { min: 1 }),
  tagsPerProject: s.integer('Tags that a project may have.', 10_000, { min: 1 }),
  linkCacheEntries: s.integer(
    'Links that a process keeps in memory, in addition to a tenth as many unknown slugs.',
    100_000,
    { min: 100 },
  ),
  linkSnapshotEntries: s.integer(
    'Links that a process of ROLE=redirect keeps in DATA_DIR/links, to start while PostgreSQL is away: the most followed ones, then others it knows, then the newest; 0: none.',
    100_000,
  ),
  linkSnapshotSeconds: s.integer(
    'How often it writes all of them, if any link has changed; changes are written at once.',
    300,
    { min: 1 },
  ),
  orphansPerMinute: s.integer(
    'Requests per minute for unknown slugs that a process records individually; further ones are only counted.',
    600,
  ),
  pageReadSeconds: s.integer('Timeout of reading a web page, to suggest the title of a link to it.', 5, {
    min: 1,
    max: 30,
  }),
  passwordAttempts: s.integer('Wrong passwords for one link from one address before a pause.', 10, { min: 1 }),
  passwordAttemptsFromAll: s.integer(
    'Wrong passwords for one link from all addresses before a pause for everyone who has not entered the password before.',
    1000,
    { min: 1 },
  ),
  passwordPauseSeconds: s.integer('Length of that pause, and of the window in which attempts are counted.', 600, {
    min: 1,
  }),
  passwordSessionSeconds: s.integer('How long a visitor who entered the password of a link is remembered.', 86_400, {
    min: 60,
  }),
  blocklistFiles: s.text(
    'Files that list harmful sites, comma-separated. One entry per line: a host, including its subdomains, or the start of a URL; # starts a comment.',
  ),
  blocklistReloadSeconds: s.integer('How often these files are checked for changes.', 10, { min: 1 }),
  webRiskApiKey: s.text('Key of the Google Web Risk API; if set, every destination is looked up there.'),
  webRiskUrl: s.origin('Origin of that API; unset: https://webrisk.googleapis.com.'),
  webRiskTimeoutMilliseconds: s.integer('Timeout of one lookup.', 1000, { min: 1 }),
  webRiskBudgetMilliseconds: s.integer('Timeout of all lookups for the links of one request.', 3000, { min: 1 }),
  rescanSeconds: s.integer('How often each link is scanned again.', 86_400, { min: 1 }),
  rescanPauseSeconds: s.integer('How often links due for a scan, and requested reviews, are looked for.', 5, {
    min: 1,
  }),
  searchScanRows: s.integer('Newest links of a project that a search may read when no index serves it.', 100_000, {
    min: 1,
  }),
  importRetentionDays: s.integer('Days for which imports and what became of their rows are listed.', 90, { min: 1 }),
  importMaxRows: s.integer('Rows that an imported CSV file may have.', 100_000, { min: 1 }),
  importBatchRows: s.integer('Rows that an import writes per transaction.', 250, { min: 1, max: 5000 }),
  importLeaseSeconds: s.integer('If a process dies during an import, another one continues it after this time.', 30, {
    min: 1,
  }),
  importRetrySeconds: s.integer('How often an import of a read-only team is retried.', 15, { min: 1 }),
  importPollMilliseconds: s.integer('How often interrupted imports are looked for; a new one starts at once.', 5000, {
    min: 10,
  }),
};
