import type { EventType } from '../../src/events/catalogue.ts';
import { type Json, object, orNull, ref } from './Json.ts';

const text = { type: 'string' };
const optional = { type: ['string', 'null'] };
const time = { type: 'string', format: 'date-time' };
const optionalTime = { type: ['string', 'null'], format: 'date-time' };
const flag = { type: 'boolean' };
const oneOf = (...values: string[]) => ({ type: 'string', enum: values });
const list = (items: Json) => ({ type: 'array', items });
const link = ref('schemas', 'Link');

const briefLink = object({
  id: text,
  domain: text,
  slug: text,
  short_url: text,
  external_id: optional,
  tags: list(text),
});

const openedLink = orNull(ref('schemas', 'OpenedLink'));
const match = ref('schemas', 'Match');
const platform = oneOf('ios', 'android', 'web');

const checks = object({
  checks: list(object({ name: text, status: text, message: text, since: optionalTime })),
});

/** What the data of events has in common with nothing else. */
export const EVENT_COMPONENTS: Record<string, Json> = {
  OpenedLink: object({
    id: text,
    slug: text,
    domain: text,
    short_url: text,
    destination: text,
    data: { type: 'object', additionalProperties: true },
  }),
  Match: object({
    matched: flag,
    method: oneOf('link', 'referrer', 'clipboard', 'probabilistic', 'none'),
    confidence: { type: 'integer', minimum: 0, maximum: 100 },
    guaranteed: { ...flag, description: 'Not inferred: the link was told by the device.' },
    factors: list(object({ name: text, points: { type: 'number' } })),
    clicked_at: optionalTime,
  }),
  // Until operations show domains; then their type takes this place.
  Domain: object({
    id: text,
    project_id: text,
    hostname: text,
    kind: oneOf('link', 'web'),
    status: oneOf('pending', 'verified', 'failing'),
    verification: list(object({ name: text, type: text, value: text })),
    checked_at: optionalTime,
    verified_at: optionalTime,
    root_destination: optional,
    not_found_destination: optional,
    expired_destination: optional,
    created_at: time,
    updated_at: time,
  }),
};

/** The schema of `data` for each event type. */
export const EVENT_DATA: Record<EventType, Json> = {
  'link.created': object({ link }),
  'link.updated': object({
    link,
    changes: {
      type: 'object',
      description: 'Every field that changed.',
      additionalProperties: object({ from: {}, to: {} }),
    },
  }),
  'link.archived': object({ link }),
  'link.flagged': object({ link, reason: optional }),
  'link.deleted': object({ link }),
  'links.imported': object({
    batch_id: text,
    source: oneOf('bulk', 'csv'),
    action: oneOf('create', 'update', 'delete'),
    counts: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
    link_ids: { ...list(text), maxItems: 10_000 },
    link_ids_truncated: flag,
  }),
  'link.clicked': object({
    click: object({
      id: text,
      occurred_at: time,
      traffic_class: oneOf('human', 'bot', 'scanner'),
      country: optional,
      region: optional,
      city: optional,
      platform: optional,
      device: optional,
      browser: optional,
      referrer_host: optional,
      language: optional,
      destination: optional,
      rule: optional,
      utm: orNull(
        object({ source: optional, medium: optional, campaign: optional, term: optional, content: optional }),
      ),
    }),
    link: briefLink,
  }),
  'app.installed': object({
    install: object({
      id: text,
      install_id: text,
      platform,
      app_version: optional,
      os_version: optional,
      first_opened_at: time,
    }),
    match,
    click_id: optional,
    link: openedLink,
  }),
  'app.opened': object({ open_id: text, install_id: text, platform, direct: flag, match, link: openedLink }),
  'app.event': object({
    event: object({
      id: text,
      name: text,
      occurred_at: time,
      value: { type: ['number', 'null'] },
      currency: optional,
      properties: { type: ['object', 'null'], additionalProperties: true },
    }),
    install_id: text,
    link: openedLink,
  }),
  'health.failed': checks,
  'health.recovered': checks,
  'domain.verified': object({ domain: ref('schemas', 'Domain') }),
  'alert.created': object({ alert: ref('schemas', 'Alert') }),
};
