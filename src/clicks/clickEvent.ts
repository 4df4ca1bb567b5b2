import type { EventData } from '../events/EventData.ts';
import { type ClickFacts, presentClick } from '../events/presentClick.ts';
import type { Utm } from '../models/Link.ts';

/** A row of `clicks` as an event tells it. JSON and moments are text on SQLite. */
export interface CollectedClick {
  id: string;
  project_id: string;
  link_id: string;
  domain: string;
  slug: string;
  occurred_at: string | Date;
  traffic_class: ClickFacts['trafficClass'];
  country: string | null;
  region: string | null;
  city: string | null;
  platform: ClickFacts['platform'];
  device: ClickFacts['device'];
  browser: string | null;
  language: string | null;
  referrer_host: string | null;
  destination: string | null;
  rule: string | null;
  utm: string | Utm | null;
}

/** What is known of the link when its clicks are collected. */
export interface ClickedLink {
  domain: string;
  slug: string;
  external_id: string | null;
  /** Names, and the ids that belong to them. */
  tags: string[];
  tagIds: string[];
}

/** The data of a link.clicked event. Of a deleted link only what the click itself tells is known. */
export function clickEventData(click: CollectedClick, link: ClickedLink | undefined): EventData['link.clicked'] {
  const { domain, slug, external_id, tags } = link ?? { ...click, external_id: null, tags: [] };
  return presentClick(factsOf(click), { id: click.link_id, domain, slug, externalId: external_id, tags });
}

function factsOf({ occurred_at, traffic_class, referrer_host, utm, ...click }: CollectedClick): ClickFacts {
  return {
    ...click,
    occurredAt: new Date(occurred_at),
    trafficClass: traffic_class,
    referrerHost: referrer_host,
    utm: typeof utm === 'string' ? JSON.parse(utm) : utm,
  };
}
