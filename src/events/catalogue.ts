/** Every event type that a webhook can ask for, and what it tells. */
export const EVENT_TYPES = {
  'link.created': 'A link was made, singly.',
  'link.updated': 'A field of a link changed, other than title, notes and external id.',
  'link.archived': 'A link was archived; comes beside link.updated.',
  'link.flagged': 'A link was flagged; comes beside link.updated.',
  'link.deleted': 'A link was deleted.',
  'links.imported': 'A bulk call or an import ended; one for the batch.',
  'link.clicked': 'A link was followed; collected about each minute.',
  'app.installed': 'An app was installed; once per install.',
  'app.opened': 'An app was opened by a link.',
  'app.event': 'An app reported an event.',
  'health.failed': 'The health checks of a project began to fail.',
  'health.recovered': 'The health checks of a project pass again.',
  'domain.verified': 'A domain was verified.',
  'alert.created': 'An alert was raised.',
} as const;

export type EventType = keyof typeof EVENT_TYPES;
export type { EventData } from './EventData.ts';

/** The version of envelopes and data that webhooks made now are pinned to. */
export const API_VERSION = '2026-11-01';
