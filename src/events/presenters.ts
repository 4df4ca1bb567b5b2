import type { EventType } from './catalogue.ts';
import { presentAppEvent, presentInstall, presentOpen } from './presentApp.ts';
import { presentClick } from './presentClick.ts';
import { type LinkChanges, type PresentedLink, presentBatch } from './presentLink.ts';
import { type AlertFacts, type DomainFacts, presentAlert, presentDomain, presentHealth } from './presentMonitoring.ts';

/**
 * Builds the `data` of each event type from what its cause knows. Links are passed in presented form, since one
 * presentation serves several events.
 */
export const PRESENTERS = {
  'link.created': (link: PresentedLink) => ({ link }),
  'link.updated': (link: PresentedLink, changes: LinkChanges) => ({ link, changes }),
  'link.archived': (link: PresentedLink) => ({ link }),
  'link.flagged': (link: PresentedLink, reason: string) => ({ link, reason }),
  'link.deleted': (link: PresentedLink) => ({ link }),
  'links.imported': presentBatch,
  'link.clicked': presentClick,
  'app.installed': presentInstall,
  'app.opened': presentOpen,
  'app.event': presentAppEvent,
  'health.failed': presentHealth,
  'health.recovered': presentHealth,
  'domain.verified': (domain: DomainFacts) => ({ domain: presentDomain(domain) }),
  'alert.created': (alert: AlertFacts) => ({ alert: presentAlert(alert) }),
} satisfies { [Type in EventType]: (...facts: never[]) => object };

/** The `data` of each event type, as returned by its presenter. */
export type EventData = { [Type in EventType]: ReturnType<(typeof PRESENTERS)[Type]> };

/** An event type with the data that belongs to it. */
export type TypedData = { [Type in EventType]: { type: Type; data: EventData[Type] } }[EventType];
