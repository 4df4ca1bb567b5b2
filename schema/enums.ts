import type { KeyPrincipal } from '../src/access/principal.ts';
import type { AlertStatus } from '../src/alerts/alertService.ts';
import type { InstallGrouping } from '../src/attribution/installListService.ts';
import type { TokenSource, Verdict } from '../src/attribution/installService.ts';
import type { OpenKind } from '../src/attribution/timelineService.ts';
import type { ExportFormat, Outcome } from '../src/imports/importService.ts';
import type { BulkOutcome } from '../src/links/bulkService.ts';
import type { LinkGrouping } from '../src/links/linkCountService.ts';
import type { TagMode } from '../src/links/linkListService.ts';
import type { PageProblem } from '../src/links/pageService.ts';
import type { QrInput } from '../src/links/qrService.ts';
import type { Alert } from '../src/models/Alert.ts';
import type { AuditEntry } from '../src/models/AuditEntry.ts';
import { ALERT_KINDS } from '../src/models/alertKinds.ts';
import type { Domain, VerificationRecord } from '../src/models/Domain.ts';
import type { CheckFacts } from '../src/models/HealthCheck.ts';
import type { ImportFormat, ImportStatus, OnConflict } from '../src/models/Import.ts';
import type { Install } from '../src/models/Install.ts';
import type { Role } from '../src/models/Membership.ts';
import type { MatchMethod } from '../src/models/match.ts';
import type { Project } from '../src/models/Project.ts';
import type { Team } from '../src/models/Team.ts';
import type { LinkStatus } from '../src/routing/status.ts';
import type { Trace } from '../src/routing/trace.ts';
import { fixedWords } from './rules.ts';

// The values of enumerations, each with what it means: one list for the rules of REST and the enums of GraphQL. A list must
// match its type: a missing or extra value does not compile.

export const LINK_STATUSES = fixedWords<LinkStatus>(
  'LinkStatus',
  'What a link does; of several that hold, the first.',
  {
    flagged: 'It is blocked as dangerous.',
    archived: 'It was stopped by hand.',
    scheduled: 'Its start is still to come.',
    expired: 'Its end or its click limit is reached.',
    active: 'It redirects.',
  },
);

export const TRACE_OUTCOMES = fixedWords<Trace['outcome']['kind']>('TraceOutcomeKind', 'What a visitor gets.', {
  redirect: 'A redirect to the destination.',
  app: 'The app, its store, or the fallback of the link.',
  password: 'A page that asks for the password.',
  not_found: 'A page or destination for unknown links.',
  flagged: 'A warning.',
  expired: 'A page or destination for expired links.',
});

export const PAGE_PROBLEMS = fixedWords<PageProblem>('PageProblem', 'Why a web page could not be read.', {
  not_a_page: 'The URL is not one of http or https, or gives neither HTML nor a picture that can be shown.',
  refused: 'No link may lead to this URL.',
  private_address: 'The host, or one that it redirects to, has an address that is not public.',
  unreachable: 'The host does not exist, does not answer, or does not speak HTTP.',
  timeout: 'The page did not come in time.',
  error_status: 'The host answered with an error.',
  redirects: 'It redirects too often, or to something that is not a web page.',
  busy: 'Too many pages are being read at the moment. Try again in a few seconds.',
});

export const TEAM_STATUSES = fixedWords<Team['status']>('TeamStatus', 'Whether a team can be changed.', {
  active: 'Everything works.',
  read_only: 'Survival mode: links work, and nothing can be changed.',
});

export const HEALTH_STATUSES = fixedWords<Project['health']>('HealthStatus', 'The health of a project.', {
  passing: 'No check fails.',
  failing: 'At least one check fails.',
  unknown: 'The checks have not run yet.',
});

export const CHECK_STATUSES = fixedWords<CheckFacts['status']>('CheckStatus', 'The result of a check.', {
  pass: 'All is well.',
  warn: 'Something should be looked at.',
  fail: 'Something does not work; only after two failed runs in a row.',
  skip: 'There is nothing to check.',
});

export const RECORD_TYPES = fixedWords<VerificationRecord['type']>('DomainRecordType', 'What to set for a domain.', {
  TXT: 'A DNS record of type TXT.',
  CNAME: 'A DNS record of type CNAME.',
  A: 'A DNS record of type A.',
  AAAA: 'A DNS record of type AAAA.',
  FILE: 'A file on the web server of the domain.',
});

export const RECORD_PURPOSES = fixedWords<VerificationRecord['purpose']>(
  'DomainRecordPurpose',
  'What a record of a domain is for.',
  {
    ownership: 'It proves whose the domain is.',
    routing: 'It leads visitors to this installation.',
  },
);

export const DOMAIN_KINDS = fixedWords<Domain['kind']>('DomainKind', 'What a domain is used for.', {
  link: 'Short links are followed on it.',
  web: 'Pages on it open apps.',
});

export const DOMAIN_STATUSES = fixedWords<Domain['status']>(
  'DomainStatus',
  'Whether the ownership of a domain is proven.',
  {
    pending: 'It was never verified.',
    verified: 'It is verified.',
    failing: 'It was verified and no longer is, but is still served.',
  },
);

export const KEY_KINDS = fixedWords<KeyPrincipal['keyKind']>('KeyKind', 'What a key is made for.', {
  secret: 'Servers: it can do what its scopes allow.',
  publishable: 'Apps: it is no secret and has no scopes.',
});

export const ROLES = fixedWords<Role>('Role', 'What a member of a team may do.', {
  owner: 'Everything, also with owners and survival mode.',
  admin: 'Everything except what is for owners alone.',
  member: 'Work with links and read the rest.',
  viewer: 'Read.',
});

export const ACTOR_KINDS = fixedWords<AuditEntry['actorKind']>('ActorKind', 'Who made a change.', {
  user: 'A person who was signed in.',
  key: 'A holder of a secret key.',
  operator: 'The operator of this installation.',
  nobody: 'A request without a session.',
});

export const IMPORT_STATUSES = fixedWords<ImportStatus>('ImportStatus', 'How far an import is.', {
  pending: 'It waits for its turn.',
  running: 'It is being worked on.',
  finished: 'Every row was read.',
  failed: 'It ended before the last row; message says why.',
  cancelled: 'It was stopped by hand.',
});

export const IMPORT_FORMATS = fixedWords<ImportFormat>('ImportFormat', 'Which program wrote a file.', {
  svc: 'The export of this product.',
  bitly: 'Bitly.',
  dub: 'Dub.',
  short_io: 'Short.io.',
  rebrandly: 'Rebrandly.',
  firebase: 'Firebase Dynamic Links.',
  branch: 'Branch.',
});

export const ON_CONFLICT = fixedWords<OnConflict>('OnConflict', 'What an import does with links that exist already.', {
  skip: 'They stay as they are.',
  update: 'They are changed to what the file says.',
  fail: 'Their rows fail.',
});

export const IMPORT_OUTCOMES = fixedWords<Outcome>('ImportOutcome', 'What an import did with a row.', {
  created: 'A link was created.',
  updated: 'A link was changed.',
  skipped: 'The link is there already, or as in the file already.',
  failed: 'Nothing was written for it.',
});

export const ALERT_SEVERITIES = fixedWords<Alert['severity']>('AlertSeverity', 'How urgent an alert is.', {
  info: 'Worth knowing.',
  warning: 'Should be looked at soon.',
  critical: 'Needs action now.',
});

export const ALERT_KIND_NAMES = fixedWords('AlertKind', 'What an alert reports.', ALERT_KINDS);

export const ALERT_STATUSES = fixedWords<AlertStatus>('AlertStatus', 'How far the work on an alert is.', {
  open: 'Neither acknowledged nor resolved.',
  acknowledged: 'Someone has seen it, and it is not resolved yet.',
  resolved: 'The problem is over.',
});

export const APP_PLATFORMS = fixedWords<Install['platform']>('AppPlatform', 'What an app runs on.', {
  ios: 'iOS or iPadOS.',
  android: 'Android.',
  web: 'A browser.',
});

export const MATCH_METHODS = fixedWords<MatchMethod>('MatchMethod', 'How an opening was traced back to a click.', {
  link: 'By the URL that opened the app.',
  referrer: 'By the install referrer of Google Play.',
  clipboard: 'By a token in the clipboard.',
  probabilistic: 'By a comparison of the device with recent clicks: a guess.',
  none: 'Not at all.',
});

export const INSTALL_GROUPINGS = fixedWords<InstallGrouping>(
  'InstallGrouping',
  'What counted installs are grouped by.',
  {
    method: 'How they were traced back.',
    platform: 'What they run on.',
  },
);

export const OPEN_KINDS = fixedWords<OpenKind>('OpenKind', 'What an opening of an app was.', {
  install: 'The first one.',
  reinstall: 'The first one after the app was installed again.',
  open: 'Any other.',
});

export const TOKEN_SOURCES = fixedWords<TokenSource>('TokenSource', 'Where a token of a click came from.', {
  link: 'The URL that opened the app.',
  referrer: 'The install referrer of Google Play.',
  clipboard: 'The clipboard.',
});

export const VERDICTS = fixedWords<Verdict>('MatchVerdict', 'Why a click matched or did not.', {
  matched: 'It matched.',
  used: 'Another install has it already.',
  outside_window: 'It was too long before the opening.',
  other_platform: 'It was made on another platform.',
  link_gone: 'Its link was deleted.',
  link_flagged: 'Its link is flagged.',
  other_address: 'It came from another address.',
  not_a_person: 'A bot or scanner made it.',
  below_threshold: 'Too little spoke for it.',
  not_the_last: 'The same visitor clicked again later.',
  ambiguous: 'A click on another link fits about as well.',
  less_likely: 'Another click fits better.',
});

export const LINK_SORTS = fixedWords<'created_at' | 'clicks' | 'last_clicked_at'>(
  'LinkSort',
  'What links are sorted by.',
  {
    created_at: 'When they were created.',
    clicks: 'Clicks of people.',
    last_clicked_at: 'When a person last clicked.',
  },
);

export const SORT_ORDERS = fixedWords<'asc' | 'desc'>('SortOrder', 'The direction of a list.', {
  asc: 'Smallest or earliest first.',
  desc: 'Largest or latest first.',
});

export const LINK_GROUPINGS = fixedWords<LinkGrouping>('LinkGrouping', 'What counted links are grouped by.', {
  status: 'Their status.',
  tag: 'Their tags.',
  domain: 'Their domain.',
});

export const TAG_MODES = fixedWords<TagMode>('TagMode', 'Which of several tags a link needs.', {
  any: 'At least one of them.',
  all: 'Each of them.',
});

export const BULK_OUTCOMES = fixedWords<BulkOutcome['results'][number]['status']>(
  'BulkOutcome',
  'What became of one link of a list.',
  {
    created: 'It was created.',
    updated: 'It was changed.',
    unchanged: 'It was already as sent; nothing was written.',
    deleted: 'It was deleted.',
    failed: 'It was refused; error says why.',
  },
);

export const EXPORT_FORMATS = fixedWords<ExportFormat>('ExportFormat', 'The format of an export of links.', {
  csv: 'A table that can be imported again.',
  ndjson: 'A link as REST shows it on each line.',
});

export const QR_FORMATS = fixedWords<NonNullable<QrInput['format']>>('QrFormat', 'The format of a QR code.', {
  svg: 'A vector image.',
  png: 'A pixel image.',
});

export const QR_LEVELS = fixedWords<NonNullable<QrInput['level']>>('QrLevel', 'How much of a QR code may be covered.', {
  L: 'About 7 %.',
  M: 'About 15 %.',
  Q: 'About 25 %.',
  H: 'About 30 %.',
});
