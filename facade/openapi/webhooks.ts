import { TIME_SCHEMA } from '../../schema/inputSchema.ts';
import {
  API_VERSION,
  BATCH_TYPE,
  EVENT_TYPES,
  type EventData,
  type EventType,
  MOST_BATCHED,
} from '../../src/events/catalogue.ts';
import { exampleEvent } from './examples.ts';
import { deliveryParameters } from './parameters.ts';
import { type Json, object, orNull, ref } from './parts.ts';

const TYPES = Object.keys(EVENT_TYPES) as EventType[];

/** `link.created` as `LinkCreatedEvent`. */
function nameOf(type: EventType): string {
  return `${type.replace(/(^|[._])(\w)/g, (_, _dot, letter: string) => letter.toUpperCase())}Event`;
}

/** A schema for each event type, and `Event`, which is one of them. */
export function eventComponents(): Record<string, Json> {
  const names = TYPES.map((type) => [type, nameOf(type)] as const);
  const text = { type: 'string' };
  const envelope = (type: EventType): Json => ({
    ...object({
      id: text,
      type: { ...text, const: type },
      api_version: text,
      created_at: TIME_SCHEMA,
      team_id: text,
      project_id: type === 'alert.created' ? orNull(text) : text,
      test: { type: 'boolean' },
      data: EVENT_DATA[type],
    }),
    description: EVENT_TYPES[type],
  });
  return {
    ...EVENT_COMPONENTS,
    ...Object.fromEntries(names.map(([type, name]) => [name, envelope(type)])),
    Event: {
      description:
        'The body of a delivery. `id` is the same for every attempt and delivery, so that receivers can recognize repeats. ' +
        `\`test\` marks a requested sample. \`api_version\` is the version of the data, such as ${API_VERSION}. ` +
        '`project_id` is null for alerts of the whole team.',
      oneOf: names.map(([, name]) => ref('schemas', name)),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(names.map(([type, name]) => [type, ref('schemas', name).$ref])),
      },
    },
    EventBatch: {
      ...object({
        type: { ...text, const: BATCH_TYPE },
        events: { type: 'array', items: ref('schemas', 'Event'), minItems: 1, maxItems: MOST_BATCHED },
      }),
      description:
        'The body of a delivery to a webhook with `batch`: events of one project, in the order of their creation. ' +
        '`SVC-Event-Id` is the id of the delivery; each event has its own `id`, by which repeats are recognized.',
    },
  };
}

/** The webhooks of the document: one entry for each event type, and one for batches of them. */
export function describeWebhooks(): Json {
  const events = TYPES.map((type) => {
    const body = { schema: ref('schemas', nameOf(type)), example: exampleEvent(type) };
    return [type, { post: describeRequest(`on${nameOf(type)}`, EVENT_TYPES[type], body) }];
  });
  const batch = { schema: ref('schemas', 'EventBatch'), example: exampleBatch() };
  const post = describeRequest('onEventBatch', 'Events were gathered for a webhook with `batch`.', batch);
  return { ...Object.fromEntries(events), [BATCH_TYPE]: { post } };
}

function exampleBatch(): Json {
  return { type: BATCH_TYPE, events: [exampleEvent('link.clicked')] };
}

function describeRequest(operationId: string, summary: string, body: Json): Json {
  return {
    operationId,
    summary,
    description: 'Signed, retried after failures, and not always in order: see Webhooks above.',
    tags: ['Webhooks'],
    security: [],
    parameters: deliveryParameters(),
    requestBody: {
      required: true,
      content: { 'application/json': body },
    },
    responses: { '2XX': { description: 'Accepted.' }, '4XX': { description: 'Rejected; the delivery is retried.' } },
  };
}

/** What is between these is said of each field of it: one that is missing, or too much, does not compile. */
type Fields<Data> = Record<keyof Data, Json>;
type Match = EventData['app.installed']['match'];
type AppLink = NonNullable<EventData['app.installed']['link']>;
type Click = EventData['link.clicked']['click'];
type Check = EventData['health.failed']['checks'][number];

/** An object with a schema for every field of `Data`. */
const of = <Data>(fields: Fields<Data>): Json => object(fields);
const oneOf = <Word extends string>(...words: Word[]): Json => ({ type: 'string', enum: words });
const list = (items: Json): Json => ({ type: 'array', items });

const text = { type: 'string' };
const optional = orNull(text);
const time = TIME_SCHEMA;
const optionalTime = orNull(time);
const flag = { type: 'boolean' };
const freeForm = { type: 'object', additionalProperties: true };
const count = { type: 'integer', minimum: 0 };

const link = ref('schemas', 'Link');
const appLink = orNull(ref('schemas', 'OpenedLink'));
const match = ref('schemas', 'Match');
const installId = { ...text, description: 'The UUID that the SDK generated.' };
const platform = oneOf<EventData['app.opened']['platform']>('ios', 'android', 'web');

const checks = list(
  of<Check>({
    name: text,
    status: oneOf<Check['status']>('pass', 'warn', 'fail', 'skip'),
    message: text,
    since: optionalTime,
  }),
);

const counts = {
  description: 'The counts of the bulk request or import.',
  anyOf: [
    object({ created: count, failed: count }),
    object({ updated: count, failed: count }),
    object({ deleted: count, failed: count }),
    object({ created: count, updated: count, skipped: count, failed: count }),
  ],
};

/** Schemas that only event data uses. */
const EVENT_COMPONENTS: Record<string, Json> = {
  OpenedLink: of<AppLink>({
    id: text,
    slug: text,
    domain: text,
    short_url: text,
    destination: text,
    data: freeForm,
  }),
  Match: of<Match>({
    matched: flag,
    method: oneOf<Match['method']>('link', 'referrer', 'clipboard', 'probabilistic', 'none'),
    confidence: { type: 'integer', minimum: 0, maximum: 100 },
    score: { ...orNull({ type: 'integer' }), description: 'For a probabilistic match, the sum of its factors.' },
    guaranteed: {
      ...flag,
      description:
        'The match is not probabilistic: the app sent the URL of the link or the token of a click. This does not prove that the request came from a real device: see "What a publishable key proves".',
    },
    factors: list(of<Match['factors'][number]>({ name: text, points: { type: 'number' } })),
    clicked_at: optionalTime,
  }),
};

const utm = of<NonNullable<Click['utm']>>({
  source: optional,
  medium: optional,
  campaign: optional,
  term: optional,
  content: optional,
});

const click = of<Click>({
  id: text,
  occurred_at: time,
  traffic_class: oneOf<Click['traffic_class']>('human', 'bot', 'scanner'),
  country: { ...optional, description: 'ISO 3166-1 alpha-2.' },
  region: optional,
  city: optional,
  platform: oneOf<Click['platform']>('ios', 'android', 'windows', 'macos', 'linux', 'other'),
  device: oneOf<Click['device']>('mobile', 'tablet', 'desktop'),
  browser: optional,
  referrer_host: optional,
  language: optional,
  destination: { ...optional, description: 'The destination, before parameters were added.' },
  rule: { ...optional, description: 'Name of the rule or split entry that chose the destination.' },
  utm: orNull(utm),
});

const clickedLink = of<EventData['link.clicked']['link']>({
  id: text,
  domain: text,
  slug: text,
  short_url: text,
  external_id: optional,
  tags: list(text),
});

const install = of<EventData['app.installed']['install']>({
  id: text,
  install_id: installId,
  platform,
  app_version: optional,
  os_version: optional,
  first_opened_at: time,
});

const appEvent = of<EventData['app.event']['event']>({
  id: text,
  name: text,
  occurred_at: time,
  value: orNull({ type: 'number' }),
  currency: optional,
  properties: orNull(freeForm),
  outlier: {
    ...flag,
    description: 'The value is above the `max_event_value` of the project, so it is not included in analytics.',
  },
});

const changes = {
  type: 'object',
  description: 'Every field that changed.',
  minProperties: 1,
  additionalProperties: object({ from: {}, to: {} }),
};

const FIELDS: { [Type in EventType]: Fields<EventData[Type]> } = {
  'link.created': { link },
  'link.updated': { link, changes },
  'link.archived': { link },
  'link.flagged': { link, reason: text },
  'link.deleted': { link },
  'links.imported': {
    batch_id: text,
    source: oneOf('bulk', 'csv'),
    action: oneOf('create', 'update', 'upsert', 'delete'),
    counts,
    link_ids: { ...list(text), maxItems: 10_000 },
    link_ids_truncated: flag,
  },
  'link.clicked': { click, link: clickedLink },
  'app.installed': { install, match, click_id: optional, link: appLink },
  'app.opened': { open_id: text, install_id: installId, platform, direct: flag, match, link: appLink },
  'app.event': { event: appEvent, install_id: installId, link: appLink },
  'health.failed': { checks },
  'health.recovered': { checks },
  'domain.verified': { domain: ref('schemas', 'Domain') },
  'alert.created': { alert: ref('schemas', 'Alert') },
};

/** The schema of `data` for each event type. */
const EVENT_DATA = Object.fromEntries(Object.entries(FIELDS).map(([type, fields]) => [type, object(fields)])) as Record<
  EventType,
  Json
>;
