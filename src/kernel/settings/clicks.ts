import * as s from './kinds.ts';

/** Clicks, analytics, and the attribution of installs and app events. */
export const CLICK_SETTINGS = {
  clickJournalSync: s.flag('Flush each click to disk (fdatasync) before the redirect is sent.', false),
  clickJournalMaxBytes: s.integer('Size limit of the click journal while the store is down.', 1_073_741_824, {
    min: 65_536,
  }),
  clickDrainMilliseconds: s.integer('How often clicks are moved from the journal to the store.', 1000, { min: 10 }),
  clickJournals: s.text(
    'Folder with the DATA_DIRs of several processes, on a disk that they share: the clicks of one that is gone for 10 minutes are moved to the store by another. Unset: they wait for it.',
  ),
  clicksUrl: s.clickHouseUrl(
    'ClickHouse for clicks; unset: they are in the same store as everything else. `npm run admin -- move-clicks` moves those that are there.',
  ),
  clicksCluster: s.plainName(
    'Name of a cluster of that ClickHouse, for replicated tables that are sharded by project and day; unset: one server.',
  ),
  clickRetentionDays: s.integer(
    'Days for which individual clicks are kept; totals stay forever. At least 3, because installs are matched with them.',
    400,
    { min: 3 },
  ),
  blockBuildSeconds: s.integer('How often new clicks are packed into the column blocks that analytics reads.', 10, {
    min: 1,
  }),
  analyticsMemoryBytes: s.integer(
    'Memory per process for click data that analytics has read, to answer further queries; 0: none.',
    67_108_864,
  ),
  analyticsBacklogClicks: s.integer(
    'The most clicks in no block that a query reads row by row, some 3 µs each; beyond that its answer has as_of.',
    1_000_000,
    { min: 1 },
  ),
  distinctValuesPerDay: s.integer(
    'Distinct referrers, and languages, per project and UTC day that a process counts by name; later ones count as other.',
    5000,
    { min: 1 },
  ),
  scannerBurstLinks: s.integer(
    'An address that follows more links of a team than this within a burst is a scanner; 0: off.',
    20,
  ),
  scannerBurstSeconds: s.integer('Length of such a burst; 0: off.', 10),
  scannerNetworks: s.addressBlocks(
    'Networks whose clicks count as scanners: addresses or CIDR blocks, comma-separated.',
  ),
  cityDatabase: s.text('MaxMind city database (mmdb) for region and city; unset: countries only.'),
  trafficCollectSeconds: s.integer('How often clicks are combined into link.clicked events.', 60, { min: 1 }),
  liveConnections: s.integer('Live streams of clicks that one process serves at a time, and as many of events.', 200, {
    min: 1,
  }),
  liveHeartbeatSeconds: s.integer(
    'How often a live stream sends a heartbeat and its session or key is checked again.',
    15,
    {
      min: 1,
      max: 30,
    },
  ),
  trafficWatch: s.flag('Watch for unusual traffic.', true),
  matchSharedVisitors: s.integer(
    'An address from which more people than this follow links of a project within a day is shared, and is no evidence for a match.',
    8,
    { min: 1 },
  ),
  sharedNetworks: s.addressBlocks(
    'Networks whose addresses many people share (carriers, relays, data centres): addresses or CIDR blocks, comma-separated.',
  ),
  sharedNetworkFiles: s.text(
    'Files that list such networks, comma-separated: one per line; text after a comma or # is ignored, as in the list of iCloud Private Relay.',
  ),
  networkDatabase: s.text(
    'MaxMind database (mmdb) of carriers, relays or data centres: ASN, Anonymous-IP or Connection-Type.',
  ),
  sdkEventsPerDay: s.integer('App events that a project may send per UTC day.', 1_000_000, { min: 1 }),
  sdkInstallsPerDay: s.integer('New installs that a project may report per UTC day.', 100_000, { min: 1 }),
  eventNamesPerProject: s.integer('Event names that a project counts separately; later ones count as other.', 500, {
    min: 1,
  }),
  attributionDays: s.integer('Days for which app events are attributed to the link that led to the install.', 30, {
    min: 1,
  }),
  appEventRetentionDays: s.integer('Days for which app opens and app events are kept.', 400, { min: 1 }),
  matchReportDays: s.integer('Days for which the reasons of a match can be read.', 90, { min: 1 }),
};
