import type { EventType } from './catalogue.ts';
import type { LinkChanges } from './linkChanges.ts';
import { type AlertFacts, presentAlert } from './presentAlert.ts';
import { presentAppEvent } from './presentAppEvent.ts';
import { presentBatch } from './presentBatch.ts';
import { presentClick } from './presentClick.ts';
import { type DomainFacts, presentDomain } from './presentDomain.ts';
import { presentHealth } from './presentHealth.ts';
import { presentInstall } from './presentInstall.ts';
import type { PresentedLink } from './presentLink.ts';
import { presentOpen } from './presentOpen.ts';

/** From what a cause knows to the `data` of its event. Links come presented: one presentation serves several events. */
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
