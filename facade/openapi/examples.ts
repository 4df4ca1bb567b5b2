import { API_VERSION, type EventType } from '../../src/events/catalogue.ts';
import { clock, DAY_MS } from '../../src/kernel/clock.ts';
import { config } from '../../src/kernel/config.ts';
import type { IdPrefix } from '../../src/kernel/ids.ts';
import { sampleData } from '../../src/webhooks/samples.ts';

type Data = Record<string, unknown>;

const AT = '2026-11-03T09:30:00.000Z';
const LATER = '2030-01-01T00:00:00.000Z';
const DESTINATION = 'https://www.example.com/sale';

/** The only time that depends on the day of the start: events older than 30 days are refused. */
const lastWeek = (time: string) => `${new Date(clock.now() - 7 * DAY_MS).toISOString().slice(0, 10)}T${time}:00.000Z`;

/** Always the same, so that the document is the same at each start. */
const id = (prefix: IdPrefix) => `${prefix}_01kb1fm3s3e6rb7s2n9j0c4q7x`;
const fixed = { projectId: id('prj'), id, at: new Date(AT) };

/** As SDKs make them. */
const INSTALL_ID = '6f1c1b3e-3c3f-4a39-9d0c-0d9e5b7f2a11';

const LINK_CSV = `destination,slug,title,tags\n${DESTINATION},spring-sale,Spring sale,newsletter|spring\n`;

/** Bodies that operations take, by operation. Tests send them. */
export const REQUEST_EXAMPLES: Record<string, Data> = {
  createLink: {
    destination: DESTINATION,
    slug: 'spring-sale',
    title: 'Spring sale',
    tags: ['newsletter'],
    external_id: 'campaign-42',
    data: { screen: 'sale' },
    utm: { source: 'newsletter', medium: 'email', campaign: 'spring' },
    expires_at: LATER,
  },
  updateLink: { destination: 'https://www.example.com/summer', tags: ['newsletter', 'summer'] },
  upsertLink: { destination: DESTINATION, title: 'Spring sale' },
  bulkCreateLinks: {
    links: [{ destination: DESTINATION, slug: 'spring' }, { destination: 'https://www.example.com/shoes' }],
  },
  bulkUpsertLinks: {
    links: [
      { external_id: 'campaign-42', destination: DESTINATION, managed_by: 'code:marketing' },
      { external_id: 'campaign-41', archived: true },
    ],
  },
  bulkUpdateLinks: { ids: [id('lnk'), 'ext_campaign-42'], set: { tags: ['summer'] } },
  bulkDeleteLinks: { ids: [id('lnk'), 'ext_campaign-42'] },
  updateProject: {
    name: 'Shop',
    match_window_seconds: 7200,
    apps: [{ platform: 'ios', bundle_id: 'com.example.shop', team_id: 'ABCDE12345', scheme: 'shop' }],
  },
  createWebhook: { url: 'https://hooks.example.com/svc', event_types: ['link.created', 'link.clicked'] },
  updateWebhook: { event_types: ['*'], include_bots: true, batch: { max_events: 500, max_wait_seconds: 5 } },
  testWebhook: { type: 'link.clicked' },
  replayWebhook: { since: lastWeek('09:30'), until: lastWeek('12:00'), status: 'failed' },
  createDomain: { hostname: 'go.example.com', root_destination: 'https://www.example.com/' },
  updateDomain: { not_found_destination: 'https://www.example.com/lost', expired_destination: null },
  createTag: { name: 'newsletter', color: 'blue' },
  updateTag: { color: '#ff8800' },
  createKey: { name: 'Reports', scopes: ['links:read', 'analytics:read'], expires_at: LATER },
  rollKey: { expire_previous_seconds: 3600 },
  simulateMatch: {
    click: {
      user_agent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 Version/26.1 Mobile/15E148 Safari/604.1',
      accept_language: 'de-DE',
      seconds_before: 120,
    },
    open: { platform: 'ios', os_version: '26.1', device_model: 'iPhone17,3', language: 'de-DE' },
  },
  recordOpen: {
    install_id: INSTALL_ID,
    first_open: true,
    platform: 'ios',
    app_version: '1.4.0',
    os_version: '26.1',
    device_model: 'iPhone17,3',
    language: 'de-DE',
    timezone: 'Europe/Berlin',
    screen: { width: 393, height: 852, scale: 3 },
  },
  resolveUrl: { url: 'https://go.example.com/spring-sale' },
  recordEvents: {
    install_id: INSTALL_ID,
    events: [{ id: 'order-1042', name: 'purchase', occurred_at: AT, value: 39.9, currency: 'EUR' }],
  },
};

/** Bodies that are text, by operation. */
export const TEXT_EXAMPLES: Record<string, string> = {
  startImport: LINK_CSV,
  exportLinks: LINK_CSV,
  listImportErrors: 'row,column,message\n3,destination,Is required.\n',
  listImportRows: 'row,outcome,column,message\n2,created,,\n3,failed,destination,Is required.\n',
  getLinkQr: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"><path d="M0 0h7v7H0z"/></svg>',
  get streamEvents() {
    const event = exampleEvent('link.created');
    return `retry: 3000\n\nid: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n: alive\n\n`;
  },
};

/** The envelope of an event, as receivers and lists get it. */
export function exampleEvent(type: EventType): Data {
  return {
    id: id('evt'),
    type,
    api_version: API_VERSION,
    created_at: AT,
    team_id: id('team'),
    project_id: id('prj'),
    test: false,
    data: sampleData(type, fixed),
  };
}

/** Of texts that a field's name says nothing about. */
export const FORMAT_EXAMPLES: Record<string, string> = { 'date-time': AT, uuid: INSTALL_ID, uri: DESTINATION };

/** A realistic value of a field of an answer: that of its type, or what every field of that name has; undefined if unknown. */
export function exampleValue(type: string, field: string): unknown {
  if (type === 'Event' || type.endsWith('Event')) return exampleEvent('link.created')[field];
  if (field === 'id') return IDS[type] && id(IDS[type]);
  const owned = ofSample(type, field);
  if (owned !== undefined) return owned;
  return `${type}.${field}` in VALUES ? VALUES[`${type}.${field}`] : VALUES[field];
}

/** Types that samples of events show in full. */
function ofSample(type: string, field: string): unknown {
  if (type === 'Link') return fieldOf(sampleData('link.updated', fixed).link, field);
  if (type === 'Alert') return fieldOf(sampleData('alert.created', fixed).alert, field);
  if (type === 'Domain') return fieldOf(sampleData('domain.verified', fixed).domain, field);
  if (type === 'HealthCheck') return fieldOf(sampleData('health.recovered', fixed).checks[0] ?? {}, field);
  if (type === 'Delivery' && field === 'request_body') return JSON.stringify(exampleEvent('health.recovered'));
  return type === 'Service' && field === 'link_domain' ? config.linkDomain : undefined;
}

function fieldOf(sample: Data, field: string): unknown {
  return sample[field];
}

const IDS: Record<string, IdPrefix> = {
  Team: 'team',
  Project: 'prj',
  Link: 'lnk',
  Tag: 'tag',
  Domain: 'dom',
  Key: 'key',
  Webhook: 'whk',
  CreatedWebhook: 'whk',
  Delivery: 'dlv',
  Alert: 'alt',
  Import: 'imp',
  Install: 'ins',
  AppLink: 'lnk',
};

/** `Type.field`, or `field` of every type. */
const VALUES: Data = {
  team_id: id('team'),
  project_id: id('prj'),
  link_id: id('lnk'),
  tag_id: id('tag'),
  webhook_id: id('whk'),
  event_id: id('evt'),
  click_id: id('clk'),
  batch_id: id('bat'),
  install_id: INSTALL_ID,
  open_id: '019a4912-5a3b-7c41-9d0c-4f2b6a8e1d33',
  created_at: AT,
  first_opened_at: AT,
  clicked_at: AT,
  updated_at: AT,
  at: AT,
  since: AT,
  start: '2026-11-02T00:00:00.000Z',
  end: '2026-11-03T00:00:00.000Z',
  next_cursor: 'eyJzIjoiMSJ9',
  url: 'https://hooks.example.com/svc',
  api_version: API_VERSION,
  event_type: 'link.created',
  hostname: 'go.example.com',
  destination: DESTINATION,
  slug: 'spring-sale',
  count: 128,
  unique: 97,
  platform: 'ios',
  timezone: 'UTC',
  health: 'passing',
  'Health.status': 'passing',
  'Health.checked_at': AT,
  match_window_seconds: 3600,
  max_event_value: 1_000_000,
  'Team.name': 'Example',
  'Team.status': 'active',
  'Project.name': 'Shop',
  'Project.probabilistic_matching': true,
  'Project.apps': [{ platform: 'ios', bundle_id: 'com.example.shop', team_id: 'ABCDE12345', scheme: 'shop' }],
  'Tag.name': 'newsletter',
  'Tag.color': 'blue',
  'Key.name': 'Reports',
  'Key.kind': 'secret',
  'Key.scopes': ['links:read', 'analytics:read'],
  'Key.last_four': 'k7Qx',
  'Key.expires_at': LATER,
  ...webhookValues('Webhook'),
  ...webhookValues('CreatedWebhook'),
  'CreatedWebhook.secret': 'whsec_8mJtXH0p3ZbQdE5vLr2yWkC1uNfA6sTgYi9oVxGhBqM',
  'WebhookBatch.max_events': 500,
  'WebhookBatch.max_wait_seconds': 5,
  'Delivery.status': 'succeeded',
  'Delivery.event_type': 'health.recovered',
  'Delivery.event_count': 1,
  'Delivery.attempt_count': 1,
  'Attempt.number': 1,
  'Attempt.duration_ms': 84,
  'Attempt.status_code': 200,
  'Attempt.response_body': 'ok',
  'Attempt.url': 'https://hooks.example.com/in',
  'Attempt.request_headers': {
    'Content-Type': 'application/json',
    'User-Agent': 'SVC-Webhooks/1',
    'SVC-Signature': 't=1793534400,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  },
  'Analytics.event': 'click',
  'Analytics.group_by': 'country',
  'AnalyticsRow.key': 'DE',
  'AnalyticsRow.count': 81,
  'AnalyticsRow.unique': 60,
  'BulkResult.status': 'failed',
  'BulkResult.index': 0,
  'BulkResult.link': null,
  'BulkError.code': 'slug_taken',
  'BulkError.message': 'The slug "spring" is already used on go.example.com.',
  'BulkCreateCounts.failed': 1,
  'BulkUpdateCounts.failed': 1,
  'BulkDeleteCounts.failed': 1,
  'Match.matched': true,
  'Match.method': 'probabilistic',
  'Match.confidence': 98,
  'Match.factors': [
    { name: 'address', points: 50 },
    { name: 'platform', points: 5 },
    { name: 'os_version', points: 15 },
    { name: 'device_model', points: 10 },
    { name: 'language', points: 10 },
    { name: 'recency', points: 8 },
  ],
  'AppLink.slug': 'spring-sale',
  'AppLink.domain': 'go.example.com',
  'AppLink.short_url': 'https://go.example.com/spring-sale',
  'AppLink.data': { screen: 'sale' },
  'RecordedEvents.accepted': 1,
  'TraceStep.rule': 'phones',
  'TraceStep.matched': true,
  'TraceStep.why': 'platform is ios.',
  'TraceOutcome.kind': 'redirect',
};

function webhookValues(type: string): Data {
  const values = {
    description: 'Orders',
    event_types: ['link.created', 'link.clicked'],
    scope: { project_id: id('prj') },
    batch: { max_events: 500, max_wait_seconds: 5 },
    max_in_flight: 10,
    status: 'enabled',
    circuit: 'closed',
  };
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [`${type}.${field}`, value]));
}
