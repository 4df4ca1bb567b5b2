import { QUIET_FIELDS } from './presentLink.ts';

const quietFields = new Intl.ListFormat('en-GB').format(QUIET_FIELDS.map((field) => field.replaceAll('_', ' ')));

/** Every event type that a webhook can subscribe to, with its meaning. */
export const EVENT_TYPES = {
  'link.created': 'A single link was created.',
  'link.updated': `A link changed in more than its ${quietFields}.`,
  'link.archived': 'A link was archived; sent in addition to link.updated.',
  'link.flagged': 'A link was flagged; sent in addition to link.updated.',
  'link.deleted': 'A link was deleted.',
  'links.imported': 'A bulk call or an import has finished; one event for the whole batch.',
  'link.clicked': 'A link was followed; collected about once a minute.',
  'app.installed': 'An app was installed; once for each install.',
  'app.opened': 'An app was opened through a link.',
  'app.event': 'An app reported an event.',
  'health.failed': 'A project began to fail its health checks.',
  'health.recovered': 'A project passes its health checks again.',
  'domain.verified': 'A domain was verified.',
  'alert.created': 'An alert was raised.',
} as const;

export type EventType = keyof typeof EVENT_TYPES;

export type { EventData } from './presenters.ts';

/** The type of a delivery that has several events. Webhooks do not subscribe to it. */
export const BATCH_TYPE = 'batch';

/** The most events of a batch, and the longest that one waits for others; the numbers of the contract. */
export const BATCH_LIMITS = { maxEvents: 1000, maxWaitSeconds: 60 } as const;

/** The version of envelopes and data that new webhooks are pinned to. */
export const API_VERSION = '2026-11-01';
