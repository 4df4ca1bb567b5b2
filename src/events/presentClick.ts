import { shortUrl } from '../kernel/origins.ts';
import type { Utm } from '../models/Link.ts';
import type { Device, Platform } from '../routing/agent.ts';
import type { TrafficClass } from '../routing/trafficReason.ts';
import { completeUtm } from '../routing/utm.ts';

/** A click as an event needs it; unknown values are null. Prefetches send no events. */
export interface ClickFacts {
  id: string;
  occurredAt: Date;
  trafficClass: Exclude<TrafficClass, 'prefetch'>;
  country: string | null;
  region: string | null;
  city: string | null;
  platform: Platform;
  device: Device;
  browser: string | null;
  referrerHost: string | null;
  language: string | null;
  /** The destination before parameters were appended. */
  destination: string | null;
  rule: string | null;
  utm: Utm | null;
}

/** The followed link, as of the moment when the click was collected. */
export interface ClickedLink {
  id: string;
  domain: string;
  slug: string;
  externalId: string | null;
  /** Names. */
  tags: string[];
}

/** The data of `link.clicked`. */
export function presentClick(click: ClickFacts, link: ClickedLink) {
  return {
    click: {
      id: click.id,
      occurred_at: click.occurredAt.toISOString(),
      traffic_class: click.trafficClass,
      country: click.country,
      region: click.region,
      city: click.city,
      platform: click.platform,
      device: click.device,
      browser: click.browser,
      referrer_host: click.referrerHost,
      language: click.language,
      destination: click.destination,
      rule: click.rule,
      utm: completeUtm(click.utm),
    },
    link: {
      id: link.id,
      domain: link.domain,
      slug: link.slug,
      short_url: shortUrl(link.domain, link.slug),
      external_id: link.externalId,
      tags: link.tags,
    },
  };
}
